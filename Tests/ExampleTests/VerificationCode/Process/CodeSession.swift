import Foundation
import JobControl
import ProgramReporting
import TestSupport
import Testing

/// The built program, launched again and again with a file in a directory that it has for itself.
final class CodeSession {
  let session: JobControlSession
  let directory = TemporaryDirectory()

  init(_ session: JobControlSession) {
    self.session = session
  }

  var state: String { directory.path("state") }

  /// Launches the program, reporting in JSON.
  func launch(
    seconds: Int = 300,
    state: String? = nil,
    wrapper: [String] = [],
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("verification-code")
    let arguments =
      wrapper + [program, "--seconds", "\(seconds)", "--format", "json"]
      + ["--state", state ?? self.state]
    return try session.launch(with(JobRequest(arguments), change))
  }

  func kill(_ job: Job, by signal: CInt = SIGKILL) throws {
    try session.signal(signal, job)
    #expect(try job.waitUntilEnd() == .signaled(signal))
  }
}

/// Runs the body with a session and a directory of its own.
func withCodeSession(_ body: @Sendable (CodeSession) throws -> Void) async throws {
  try await withCountdownSession { session in
    try body(CodeSession(session))
  }
}

/// What the launch line must say.
///
/// - Parameters:
///   - line: The line.
///   - lastSeen: When the last sign of life of the run before was.
///   - launched: When the run was launched, until the line was read.
func expectLaunch(
  _ line: String,
  _ exit: String,
  lastSeen: Span,
  launched: Span,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let away = try #require(reportLine(line).awaySeconds, sourceLocation: sourceLocation)
  #expect(
    line == #"{"type":"launch","previousExit":"\#(exit)","awaySeconds":\#(away)}"#,
    sourceLocation: sourceLocation
  )
  #expect((away * 1000).rounded() / 1000 == away, sourceLocation: sourceLocation)
  let least = (launched.lowerBound - lastSeen.upperBound) / .seconds(1)
  let most = (launched.upperBound - lastSeen.lowerBound) / .seconds(1)
  #expect(
    away >= least - 0.001 && away <= most + 0.001,
    "\(away), not between \(least) and \(most)",
    sourceLocation: sourceLocation
  )
}

let firstLaunch = #"{"type":"launch","previousExit":"firstLaunch"}"#
