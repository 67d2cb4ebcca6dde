import CustomDump
import JobControl
import TestSupport
import Testing

/// The thread sanitizer's silence about the other tests means something only if it sees races.
@Suite(
  "Thread sanitizer",
  .enabled(if: isThreadSanitized, "built without the thread sanitizer"),
  .startsProcesses
)
struct ThreadSanitizerTests {
  @Test("It reports an unguarded variable")
  func reportsUnguardedVariable() throws {
    let (status, text) = try runProgram(builtProgramPath("thread-probe"), ["race", "unguarded"])
    #expect(status != .exited(0))
    // Which of the two it sees first is chance.
    #expect(text.contains(/WARNING: ThreadSanitizer: (data|Swift access) race/), "\(text)")
  }

  @Test(
    "It does not report one that the project's lock guards, nor a collection that is read outside of it",
    arguments: ["guarded", "guarded-array", "guarded-tuple"]
  )
  func doesNotReportGuardedVariable(_ kind: String) throws {
    let (status, text) = try runProgram(builtProgramPath("thread-probe"), ["race", kind])
    expectNoDifference(status, .exited(0))
    expectNoDifference(text, "40000\n")
  }
}
