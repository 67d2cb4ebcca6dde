package import ProgramReporting
import ReactiveLifecycle

/// A countdown that runs as a process: the view model, and a bus that receives the signals of the
/// process.
@MainActor
package enum RentalProgram {
  /// Runs until the rental has ended. A signal ends the process earlier.
  ///
  /// - Parameters:
  ///   - seconds: The duration of the rental.
  ///   - format: The format of the report on standard output.
  ///   - diagnose: Called with messages for the user that no program reads.
  /// - Throws: `DescriptorOutput.Failure`, or the error of a source that cannot start.
  package static func run(
    seconds: Int,
    format: ReportFormat,
    diagnose: @escaping @Sendable (String) -> Void
  ) async throws {
    let run = CountdownRun(format: format)
    let viewModel = RentalViewModel(seconds: seconds, bus: run.bus)
    viewModel.onChange = { run.update($0) }
    let words = TextReport.Words(finished: "The rental has ended.")
    try run.start(words, seconds: seconds, diagnose: diagnose)
    viewModel.appear()
    try await run.untilFinished()
    viewModel.disappear()
    run.stop()
  }
}
