import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

/// The button that resends the code of an SMS, on a screen that appears and disappears, in a
/// process that may be killed. It is disabled while the countdown runs.
@MainActor
final class ResendViewModel {
  /// The closure that is called with each second that the screen shows, and once with the end.
  ///
  /// A screen that appears after that asks ``canResend``.
  var onChange: (Countdown.State) -> Void = { _ in }
  /// A Boolean value that indicates whether the countdown began with this model.
  let isNew: Bool

  private let countdown: Countdown
  private let bus: LifecycleBus
  private let store: (Countdown.SavedState) -> Void
  private var scope: LifecycleScope?

  /// Continues the countdown that ran in another process; if there is none, a new one begins now.
  ///
  /// - Parameters:
  ///   - seconds: The time until the code may be sent again, if a new countdown begins.
  ///   - saved: The state that was stored last.
  ///   - bus: The bus that reports when the process is in the background.
  ///   - store: Called at once with the state for the next process, and whenever it changes.
  init(
    seconds: Int,
    restoring saved: Countdown.SavedState?,
    on bus: LifecycleBus,
    store: @escaping (Countdown.SavedState) -> Void
  ) {
    let unfinished = saved.flatMap { $0.status == .running || $0.isEndPending ? $0 : nil }
    isNew = unfinished == nil
    countdown =
      unfinished.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(seconds), of: bus)
    self.bus = bus
    self.store = store
    countdown.start()
    // From now on, the deadline may be one of this boot.
    store(countdown.savedState)
  }

  /// A Boolean value that indicates whether the code may be sent again.
  var canResend: Bool { countdown.state.status == .finished }

  /// The time until the code may be sent again, rounded up.
  var remainingSeconds: Int {
    let (seconds, attoseconds) = countdown.remaining.components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }

  /// The duration of the whole countdown.
  var duration: Duration { countdown.savedState.duration }

  func appear() {
    let scope = LifecycleScope("resend")
    self.scope = scope
    // In the background, nothing is shown; on the return, the current second.
    countdown.states.gate(.foreground, of: bus, buffering: .drop)
      .sink { [weak self] state in
        if state.status != .finished { self?.onChange(state) }
      }
      .store(in: scope)
    // An end that came in the background is shown on the return, too.
    countdown.ends.gate(.foreground, of: bus, buffering: .latest)
      .sink { [weak self] state in self?.end(state) }
      .store(in: scope)
  }

  func disappear() {
    scope?.end()
    scope = nil
  }

  /// Handles a press of the button: a code is sent, and the countdown restarts.
  ///
  /// Has no effect if the code may not be sent again yet.
  func resend() {
    guard canResend else { return }
    countdown.restart()
    store(countdown.savedState)
  }

  private func end(_ state: Countdown.State) {
    // The end has been received, so the next process does not report it again.
    store(countdown.savedState)
    onChange(state)
  }
}
