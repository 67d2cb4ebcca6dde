import LifecycleCountdowns
import ReactiveLifecycle

/// The model of a screen that shows a reserved bicycle.
@MainActor
final class Reservation {
  private(set) var remaining = 300
  private(set) var isOver = false
  private let countdown: Countdown

  init(on bus: LifecycleBus) {
    countdown = Countdown(.seconds(300), of: bus)
    countdown.start()
  }
}
