import LifecycleCombine
package import LifecycleCountdowns
package import ReactiveLifecycle

/// What a screen shows of a countdown. The screen comes and goes; the countdown does not care.
@MainActor
package final class CountdownDisplay {
  package enum Update: Hashable, Sendable {
    /// The remaining time, rounded up: 0 comes only at the end.
    case tick(remainingSeconds: Int, isClockTrusted: Bool = true)
    /// The process is back in the foreground.
    case returned(BackgroundStay)
    /// The countdown is over. Reported once a run, after the tick 0.
    case finished
  }

  /// Called with everything that the screen shows.
  package var onUpdate: (Update) -> Void = { _ in }
  package private(set) var isFinished = false

  private let countdown: Countdown
  private let bus: LifecycleBus
  private let name: String
  private var scope: LifecycleScope?

  /// - Parameter name: The name of the scope that its observers belong to.
  package init(of countdown: Countdown, on bus: LifecycleBus, name: String) {
    self.countdown = countdown
    self.bus = bus
    self.name = name
  }

  package func appear() {
    let scope = LifecycleScope(name)
    self.scope = scope
    bus.onReturn(in: scope) { [weak self] stay in
      self?.onUpdate(.returned(stay))
    }
    // Nobody looks at it in the background.
    countdown.states.gate(.atLeast(.inactive), of: bus, buffering: .drop)
      .sink { [weak self] state in self?.show(state) }
      .store(in: scope)
  }

  package func disappear() {
    scope?.end()
    scope = nil
  }

  private func show(_ state: Countdown.State) {
    let hasFinished = state.status == .finished
    guard !(hasFinished && isFinished) else { return }
    isFinished = hasFinished
    onUpdate(.tick(remainingSeconds: state.seconds, isClockTrusted: state.isClockTrusted))
    if hasFinished { onUpdate(.finished) }
  }
}

extension Countdown.State {
  /// What remains, in seconds, rounded up.
  package var seconds: Int { remaining.wholeSeconds }
}
