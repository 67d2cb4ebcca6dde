import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

/// A rental that begins now, on a screen that appears and disappears.
///
/// The countdown continues without the screen, and while the user is away.
@MainActor
final class RentalViewModel {
  /// The closure that is called with what the screen shows: each second, and the end.
  var onChange: (Countdown.State) -> Void = { _ in }

  private let rental: Countdown
  private let bus: LifecycleBus
  private var scope: LifecycleScope?
  private var shown: Countdown.State?

  init(seconds: Int, bus: LifecycleBus) {
    self.bus = bus
    rental = Countdown(.seconds(seconds), of: bus)
    rental.start()
  }

  var isFinished: Bool { rental.state.status == .finished }

  /// The remaining time, rounded up: it is 0 only at the end.
  var remainingSeconds: Int {
    let (seconds, attoseconds) = rental.remaining.components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }

  func appear() {
    let scope = LifecycleScope("rental")
    self.scope = scope
    shown = nil
    // In the background, nothing is shown; on the return, the current second.
    rental.states.gate(.foreground, of: bus, buffering: .drop)
      .sink { [weak self] state in self?.show(state) }
      .store(in: scope)
    // An end that came in the background is shown on the return, too.
    rental.ends.gate(.foreground, of: bus, buffering: .latest)
      .sink { [weak self] state in self?.show(state) }
      .store(in: scope)
  }

  func disappear() {
    scope?.end()
    scope = nil
  }

  private func show(_ state: Countdown.State) {
    guard state != shown else { return }
    shown = state
    onChange(state)
  }
}
