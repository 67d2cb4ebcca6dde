package import LifecycleCountdowns
package import ProgramReporting
package import ReactiveLifecycle

/// The button that resends the code of an SMS. It is disabled while the countdown runs, on a screen
/// that appears and disappears, in a process that may be killed.
@MainActor
package final class ResendViewModel {
  /// The closure that is called with every update of the screen.
  package var onUpdate: (CountdownDisplay.Update) -> Void = { _ in }
  /// A Boolean value that indicates whether the countdown began with this model.
  package let isNew: Bool

  private let countdown: Countdown
  private let display: CountdownDisplay
  private let store: (Countdown.SavedState) -> Void

  /// Continues the countdown that ran in another process; if there is none, a new one begins now.
  ///
  /// - Parameters:
  ///   - seconds: The time until the code may be sent again, if a new countdown begins.
  ///   - saved: The state that was stored last.
  ///   - bus: The bus that reports when the process is in the background.
  ///   - store: Called at once with the state for the next process, and whenever it changes.
  package init(
    seconds: Int,
    restoring saved: Countdown.SavedState?,
    on bus: LifecycleBus,
    store: @escaping (Countdown.SavedState) -> Void
  ) {
    let unfinished = saved.flatMap { $0.status == .running || $0.isEndPending ? $0 : nil }
    isNew = unfinished == nil
    countdown =
      unfinished.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(seconds), of: bus)
    display = CountdownDisplay(of: countdown, on: bus, name: "resend")
    self.store = store
    display.onUpdate = { [weak self] in self?.show($0) }
    countdown.start()
    // From now on, the deadline may be one of this boot.
    store(countdown.savedState)
  }

  /// A Boolean value that indicates whether the code may be sent again.
  package var canResend: Bool { countdown.state.status == .finished }

  /// The time until the code may be sent again in seconds, rounded up.
  package var remainingSeconds: Int { countdown.state.seconds }

  /// The duration of the whole countdown in seconds, rounded up.
  package var totalSeconds: Int { countdown.savedState.duration.wholeSeconds }

  package func appear() { display.appear() }

  package func disappear() { display.disappear() }

  /// Handles a press of the button: a code is sent, and the countdown restarts.
  ///
  /// Has no effect if the code may not be sent again yet.
  package func resend() {
    guard canResend else { return }
    countdown.restart()
    store(countdown.savedState)
  }

  private func show(_ update: CountdownDisplay.Update) {
    if update == .finished { store(countdown.savedState) }
    onUpdate(update)
  }
}
