import LifecycleCombine
package import LifecycleCountdowns
package import ReactiveLifecycle

/// The display of a countdown on a screen.
///
/// The screen may appear and disappear; this does not affect the countdown.
@MainActor
package final class CountdownDisplay {
  package enum Update: Hashable, Sendable {
    /// The remaining time, rounded up: it is 0 only at the end.
    case tick(remainingSeconds: Int, isClockTrusted: Bool = true)
    /// The process is back in the foreground.
    case returned(BackgroundStay)
    /// The countdown has finished. Reported once per run, after a tick with 0.
    case finished
  }

  /// The closure that is called with every update of the screen.
  package var onUpdate: (Update) -> Void = { _ in }
  package private(set) var isFinished = false

  private let countdown: Countdown
  private let bus: LifecycleBus
  private let name: String
  private var scope: LifecycleScope?

  /// - Parameter name: The name of the scope that the display's observers belong to.
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
    // The screen is not visible in the background.
    countdown.states.gate(.atLeast(.inactive), of: bus, buffering: .drop)
      .sink { [weak self] state in self?.show(state) }
      .store(in: scope)
    // An end is shown even if it came in the background.
    countdown.ends.gate(.atLeast(.inactive), of: bus, buffering: .latest)
      .sink { [weak self] state in self?.showEnd(state) }
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
  }

  private func showEnd(_ state: Countdown.State) {
    show(state)
    onUpdate(.finished)
  }
}

extension Countdown.State {
  /// The remaining time in seconds, rounded up.
  package var seconds: Int { remaining.wholeSeconds }
}
