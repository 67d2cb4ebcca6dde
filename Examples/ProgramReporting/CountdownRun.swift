package import LifecycleCountdowns
package import ReactiveLifecycle

/// A run of a program that counts down.
@MainActor
package final class CountdownRun {
  private let format: ReportFormat
  private let run = ProgramRun()
  private var report: (any CountdownReport)?

  package init(format: ReportFormat) {
    self.format = format
  }

  package var bus: LifecycleBus { run.bus }

  /// Connects the signals of the process, and reports what happens from then on.
  ///
  /// - Parameters:
  ///   - words: The sentences of the text report.
  ///   - seconds: The duration of the whole countdown.
  ///   - diagnose: Called with messages for the user that no program reads.
  ///   - reportFirst: Called when the phase of the process is known, before the phase is reported.
  /// - Throws: The error of a source that cannot start.
  package func start(
    _ words: TextReport.Words,
    seconds: Int,
    diagnose: @escaping @Sendable (String) -> Void,
    reportFirst: (any CountdownReport) -> Void = { _ in }
  ) throws {
    let report = makeReport(words, seconds: seconds)
    self.report = report
    try run.start(report, diagnose: diagnose) { reportFirst(report) }
  }

  /// Reports a second of the countdown, or its end, which ends the run.
  package func update(_ state: Countdown.State) {
    report?.update(state)
    if state.status == .finished { run.conclude() }
  }

  /// Waits until the countdown has finished. A signal ends the process earlier.
  ///
  /// - Throws: `DescriptorOutput.Failure`.
  package func untilFinished() async throws {
    try await run.untilConcluded()
  }

  package func stop() {
    run.stop()
  }

  private func makeReport(_ words: TextReport.Words, seconds: Int) -> any CountdownReport {
    let write: (String) -> Void = { [weak run] in run?.write($0) }
    return switch format {
    case .text:
      TextReport(words, total: seconds, terminal: Terminal(descriptor: 1), write: write)
    case .json: JSONReport(write: write)
    }
  }
}
