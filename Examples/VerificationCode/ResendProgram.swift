import LifecycleCountdowns
import LifecycleJournaling
package import ProgramReporting
import ReactiveLifecycle

/// The resend button as a process, which continues where the previous process was killed.
@MainActor
package enum ResendProgram {
  /// Runs until the code may be sent again. A signal ends the process earlier.
  ///
  /// - Parameters:
  ///   - seconds: The duration of a new countdown.
  ///   - path: The path of the state file; nil for none.
  ///   - format: The format of the report on standard output.
  ///   - diagnose: Called with messages for the user that no program reads.
  /// - Throws: `LifecycleJournal.OpenError`, `DescriptorOutput.Failure`, or the error of a source
  ///   that cannot start.
  package static func run(
    seconds: Int,
    state path: String?,
    format: ReportFormat,
    diagnose: @escaping @Sendable (String) -> Void
  ) async throws {
    let run = CountdownRun(format: format)
    let state = try path.map { try ResendState(at: $0, on: run.bus, diagnose: diagnose) }
    // An error ends the run, too.
    defer { state?.end() }
    let viewModel = ResendViewModel(
      seconds: seconds,
      restoring: state?.saved,
      on: run.bus,
      store: { state?.store($0) }
    )
    // The end is recorded for the next run before a line is written that lets readers rely on it.
    viewModel.onChange = { countdown in
      if countdown.status == .finished { state?.end() }
      run.update(countdown)
    }
    try run.start(
      TextReport.Words(
        begun: "A code was sent. You can request a new one when the time is up.",
        finished: "You can request a new code now."
      ),
      seconds: viewModel.duration.wholeSeconds,
      diagnose: diagnose
    ) { report in
      let previousRun = state?.previousRun ?? LifecycleJournal.PreviousRun(exit: .firstLaunch)
      report.launch(after: previousRun, isNew: viewModel.isNew)
    }
    viewModel.appear()
    try await run.untilFinished()
    viewModel.disappear()
    run.stop()
  }
}
