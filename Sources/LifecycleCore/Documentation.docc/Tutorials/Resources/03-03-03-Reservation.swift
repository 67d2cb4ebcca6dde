import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

/// The model of a screen that shows a reserved bicycle.
@MainActor
final class Reservation {
  private(set) var remaining = 300
  private(set) var isOver = false
  private(set) var refreshes = 0
  private let countdown: Countdown
  private let report: (String) -> Void
  private let scope = LifecycleScope("reservation")

  init(on bus: LifecycleBus, report: @escaping (String) -> Void = { _ in }) {
    self.report = report
    countdown = Countdown(.seconds(300), of: bus)
    countdown.start()
    countdown.states.sink { [weak self] in self?.show($0) }.store(in: scope)
    bus.onOpen(in: scope) { self.refresh(at: $0) }
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in self?.hide() }
  }

  private func show(_ state: Countdown.State) {
    remaining = Int(state.remaining.components.seconds)
    isOver = state.status == .finished
    report(isOver ? "The reservation is over." : "\(remaining) s left")
  }

  private func refresh(at opening: LifecycleOpening) {
    refreshes += 1
    let seconds = opening.timeAway.components.seconds
    report(opening.isFirst ? "Opened" : "Back after \(seconds) s")
  }

  private func hide() {
    report("Hidden with \(remaining) s left")
  }
}
