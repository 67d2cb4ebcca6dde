import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension VerificationCodeTests {
  @Suite("Command line", .serialized)
  struct CommandLineTests {
    @Test("A bad argument is named on standard error, the status is 64, and no file is made")
    func badArguments() async throws {
      let badArguments: [(arguments: [String], named: String)] = [
        (["--seconds", "0"], "--seconds"),
        (["--seconds=-5"], "--seconds"),
        (["--seconds", "1.5"], "--seconds"),
        (["--seconds", "9223372036854775808"], "--seconds"),
        (["--seconds"], "--seconds"),
        (["--state"], "--state"),
        (["--state", ""], "--state"),
        (["--state="], "--state"),
        (["--format", "xml"], "--format"),
        (["--frob"], "--frob"),
        (["state"], "state"),
      ]
      try await withCodeSession { code in
        let program = try builtProgramPath("verification-code")
        for (arguments, named) in badArguments {
          let script = "cd '\(code.directory.path)' && exec \"$0\" \"$@\" 2>&1 >/dev/full"
          let job = try code.session.launch(
            JobRequest(["sh", "-c", script, program] + arguments)
          )
          #expect(try job.waitUntilEnd() == .exited(64), "\(arguments)")
          let message = try job.waitUntilOutputEnds().first ?? ""
          #expect(message.contains(named), "\(arguments): \(message)")
        }
        expectNoDifference(code.directory.names, [])
      }
    }

    @Test("--help is printed on standard output, and says what becomes of --seconds")
    func helpIsPrinted() async throws {
      try await withCodeSession { code in
        let program = try builtProgramPath("verification-code")
        let job = try code.session.launch(JobRequest([program, "--help"]))
        #expect(try job.waitUntilEnd() == .exited(0))
        let text = try job.waitUntilOutputEnds().joined(separator: " ")
        for part in ["--seconds <seconds>", "--state <file>", "still running"] {
          #expect(text.contains(part), "\(part)")
        }
      }
    }

    @Test(
      "Output that cannot be written is an error with the status 74, and a proper end",
      arguments: [">/dev/full", ">&-"]
    )
    func unwritableOutputIsErrorWithStatus74(redirection: String) async throws {
      try await withCodeSession { code in
        let program = try builtProgramPath("verification-code")
        for format in ["json", "text"] {
          let script = "exec \"$0\" --state \"$1\" --format \(format) \(redirection)"
          let job = try code.session.launch(
            with(JobRequest(["sh", "-c", script, program, code.state])) {
              $0.standardError = .lines
            }
          )
          #expect(try job.waitUntilEnd() == .exited(74))
          let lines = try job.waitUntilOutputEnds()
          expectNoDifference(lines.count, 1)
          let message = "verification-code: cannot write to standard output"
          expectNoDifference(lines.first?.hasPrefix(message), true)
        }
        #expect(try code.launch().nextLine()?.contains("endedProperly") == true)
        expectNoDifference(code.directory.names, ["state"])
      }
    }
  }
}
