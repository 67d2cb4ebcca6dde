import JobControl
import TestSupport
import Testing

/// LINUX.md, section 10, rows 29 to 31: a process that owns its terminal, under a shell that does
/// job control.
@Suite("Terminal session on the real system", .serialized, .startsProcesses)
enum TerminalProcessTests {}

/// Runs the body with a session whose shell is the probe. A data race in a probe, which the thread
/// sanitizer reports on the terminal, fails the test.
func withProbeSession<Result: Sendable>(
  _ body: @Sendable (JobControlSession) throws -> Result
) async throws -> Result {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
    let result = try body(session)
    #expect(!session.terminal.outputText.contains("WARNING: ThreadSanitizer"))
    return result
  }
}

let launch = [
  "1 didFinishLaunching synthesized", "2 willEnterForeground synthesized",
  "3 didBecomeActive source",
]
let background = [
  "4 willResignActive synthesized", "has terminal: true", "5 didEnterBackground source",
]
let foreground = [
  "6 willEnterForeground synthesized", "has terminal: true", "7 didBecomeActive source",
]
