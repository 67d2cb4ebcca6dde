import JobControl
import TestSupport
import Testing

/// What happens to a real process under a shell that does job control.
///
/// One after the other, so that the times that some of them measure mean something.
@Suite("Process signals on the real system", .serialized, .startsProcesses)
enum ProcessTests {}

/// What follows the launch when the process is stopped.
let background = ["4 willResignActive synthesized", "5 didEnterBackground source"]

/// What follows that when it is continued in the foreground.
let foreground = ["6 willEnterForeground synthesized", "7 didBecomeActive source"]

/// What follows the launch when a process in the foreground is ended.
let termination = [
  "4 willResignActive synthesized", "5 didEnterBackground synthesized", "6 willTerminate source",
]

/// What follows the return to the foreground when the process is ended.
let terminationAfterReturn = [
  "8 willResignActive synthesized", "9 didEnterBackground synthesized", "10 willTerminate source",
]

/// Runs the body with a session, and a probe in its foreground.
func withProbe(
  _ options: [String] = [],
  _ body: @Sendable (JobControlSession, Probe) throws -> Void
) async throws {
  try await withProbeSession { try body($0, $0.launchProbe(options)) }
}

extension Probe {
  /// Sends a signal, and expects that it ends the process.
  ///
  /// - Returns: The lines that were not returned yet.
  func end(
    by signal: CInt,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [ProbeLine] {
    try session.signal(signal, job)
    let status = try job.waitUntilEnd()
    #expect(status == .signaled(signal), sourceLocation: sourceLocation)
    return try remainingLines()
  }
}
