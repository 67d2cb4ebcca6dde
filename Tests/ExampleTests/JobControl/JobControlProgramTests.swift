import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

@Suite("Programs that are run without a terminal", .serialized, .startsProcesses)
struct JobControlProgramTests {
  private func shell(_ script: String) throws -> (status: JobStatus, text: String) {
    try runProgram("/bin/sh", ["-c", script])
  }

  @Test("Output and diagnostics come together, in order, with the status")
  func outputAndDiagnosticsComeTogether() throws {
    let (status, text) = try shell("echo one; echo two >&2; echo three; exit 3")
    expectNoDifference(text, "one\ntwo\nthree\n")
    expectNoDifference(status, .exited(3))
  }

  @Test("A program that a signal kills says so")
  func programKilledBySignal() throws {
    let (status, text) = try shell("echo before; kill -KILL $$")
    expectNoDifference(text, "before\n")
    expectNoDifference(status, .signaled(SIGKILL))
  }

  @Test("More output than any buffer holds")
  func outputBeyondAnyBuffer() throws {
    let (status, text) = try shell("head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2")
    expectNoDifference(status, .exited(0))
    #expect(text.utf8.count == 3_000_004 && text.hasSuffix("xend\n"))
  }

  @Test("A program that does not exist is named, and leaves no descriptor behind")
  func missingProgramIsNamed() async {
    // In a process of its own: other tests of this one open descriptors, too.
    await #expect(processExitsWith: .success) {
      let before = try openDescriptors()
      for _ in 1...500 {
        let error = #expect(throws: JobControlError.self) { try runProgram("/nonexistent/program") }
        expectNoDifference(error?.description.contains("/nonexistent/program"), true)
      }
      // The runtime may open some meanwhile, though not one for each round.
      #expect(try openDescriptors() < before + 400)
    }
  }

  @Test("A program that ends leaves no descriptor behind")
  func endedProgramLeavesNoDescriptor() async {
    await #expect(processExitsWith: .success) {
      let before = try openDescriptors()
      for _ in 1...500 { _ = try runProgram("/bin/true") }
      #expect(try openDescriptors() < before + 400)
    }
  }

  @Test("It has empty input, no terminal, and nothing else that is open")
  func hasEmptyInputAndNoTerminal() throws {
    let file = try #require(fopen("/dev/null", "r"))
    defer { fclose(file) }
    // Without a pipe, of which the shell would have the ends for a moment.
    let (status, text) = try shell(
      "cat; ls -m /proc/$$/fd; (: </dev/tty) 2>/dev/null || echo none"
    )
    expectNoDifference(status, .exited(0))
    expectNoDifference(text, "0, 1, 2\nnone\n")
  }

  @Test("It can open its output by name")
  func byName() throws {
    let (status, text) = try shell("echo out >/dev/stdout; echo error >/dev/stderr")
    expectNoDifference(text, "out\nerror\n")
    expectNoDifference(status, .exited(0))
  }
}

private func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
