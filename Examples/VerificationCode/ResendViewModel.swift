package import LifecycleCountdowns
package import ProgramReporting
package import ReactiveLifecycle

/// The button that sends the code of an SMS again: disabled while the time runs down, on a screen that
/// comes and goes, in a process that may be killed.
@MainActor
package final class ResendViewModel {
  /// Called with everything that the screen shows.
  package var onUpdate: (CountdownDisplay.Update) -> Void = { _ in }
  /// Whether the time began with this model.
  package let isNew: Bool

  private let countdown: Countdown
  private let display: CountdownDisplay
  private let store: (Countdown.Record) -> Void

  /// Goes on with the time that ran in another process; if none did, the time begins now.
  ///
  /// - Parameters:
  ///   - seconds: How long it takes until the code may be sent again, if the time begins now.
  ///   - record: What was stored last.
  ///   - bus: Says when the process is in the background.
  ///   - store: Called at once with what the next process needs, and whenever that changes.
  package init(
    seconds: Int,
    restoring record: Countdown.Record?,
    on bus: LifecycleBus,
    store: @escaping (Countdown.Record) -> Void
  ) {
    let running = record.flatMap { $0.status == .running ? $0 : nil }
    isNew = running == nil
    countdown =
      running.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(seconds), of: bus)
    display = CountdownDisplay(of: countdown, on: bus, name: "resend")
    self.store = store
    display.onUpdate = { [weak self] in self?.show($0) }
    countdown.start()
    // The deadline may be one of this boot from now on. That the time has come is stored when the
    // user has seen it.
    let current = countdown.record
    if current.status == .running { store(current) }
  }

  /// Whether the code may be sent again.
  package var canResend: Bool { countdown.state.status == .finished }

  /// How long that takes, rounded up.
  package var remainingSeconds: Int { countdown.state.seconds }

  /// How long it took in the beginning.
  package var totalSeconds: Int { countdown.record.duration.wholeSeconds }

  package func appear() { display.appear() }

  package func disappear() { display.disappear() }

  /// The button is pressed: a code is sent, and the time begins anew.
  package func resend() {
    guard canResend else { return }
    countdown.restart()
    store(countdown.record)
  }

  private func show(_ update: CountdownDisplay.Update) {
    if update == .finished { store(countdown.record) }
    onUpdate(update)
  }
}
