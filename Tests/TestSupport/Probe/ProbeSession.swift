public import JobControl
import Testing

/// Runs the body with a session whose shell is the probe. A data race in a probe, which the thread
/// sanitizer reports on the terminal, fails the test.
public func withProbeSession<Result: Sendable>(
  _ body: @Sendable (JobControlSession) throws -> Result
) async throws -> Result {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
    let result = try body(session)
    #expect(!session.terminal.outputText.contains("WARNING: ThreadSanitizer"))
    return result
  }
}

/// What every bus is told when it is connected in the foreground.
public let launch = [
  "1 didFinishLaunching synthesized", "2 willEnterForeground synthesized",
  "3 didBecomeActive source",
]
