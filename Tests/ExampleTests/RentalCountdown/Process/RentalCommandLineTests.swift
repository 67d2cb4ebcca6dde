import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension RentalCountdownTests {
  @Suite("Command line", .serialized)
  struct CommandLineTests {
    /// Arguments that are wrong, and what the message must name.
    static let badArguments: [(arguments: [String], named: String)] = [
      (["--seconds", "0"], "--seconds"),
      (["--seconds", "-5"], "--seconds"),
      (["--seconds=-5"], "--seconds"),
      (["--seconds", "1.5"], "--seconds"),
      (["--seconds", ""], "--seconds"),
      (["--seconds="], "--seconds"),
      (["--seconds", "abc"], "--seconds"),
      (["--seconds", "5 "], "--seconds"),
      (["--seconds", "0x10"], "--seconds"),
      (["--seconds", "1000000001"], "1000000000"),
      (["--seconds", "9223372036854775808"], "--seconds"),
      (["--seconds"], "--seconds"),
      (["--seconds", "--format", "json"], "--seconds"),
      (["--format", "xml"], "--format"),
      (["--format", "JSON"], "--format"),
      (["--format="], "--format"),
      (["--format"], "--format"),
      (["-5"], "-5"),
      (["--frob"], "--frob"),
      (["-x"], "-x"),
      (["5"], "5"),
      ([""], "''"),
      (["--", "5"], "5"),
    ]

    @Test("A bad argument is named on standard error, and the status is 64")
    func badArguments() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        for (arguments, named) in Self.badArguments {
          let silent = try session.launch(
            with(JobRequest([program] + arguments)) { $0.standardError = .null }
          )
          #expect(try silent.waitUntilEnd() == .exited(64), "\(arguments)")
          #expect(try silent.waitUntilOutputEnds() == [], "\(arguments)")
          let loud = try session.launch(
            with(JobRequest([program] + arguments)) {
              $0.standardOutput = .null
              $0.standardError = .lines
            }
          )
          let message = try loud.waitUntilOutputEnds().first ?? ""
          #expect(message.contains(named), "\(arguments): \(message)")
        }
      }
    }

    @Test("--help is printed on standard output, and the status is 0")
    func helpIsPrinted() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let job = try session.launch(JobRequest([program, "--help"]))
        #expect(try job.waitUntilEnd() == .exited(0))
        #expect(try job.waitUntilOutputEnds().contains { $0.contains("--seconds <seconds>") })
      }
    }

    @Test(
      "Output that cannot be written is an error with the status 74",
      arguments: [">/dev/full", ">&-", ">/dev/full <&-", ">&- <&-"]
    )
    func unwritableOutputIsErrorWithStatus74(redirection: String) async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        for format in ["json", "text"] {
          let script = "exec \"$0\" --seconds 5 --format \(format) \(redirection)"
          let job = try session.launch(
            with(JobRequest(["sh", "-c", script, program])) { $0.standardError = .lines }
          )
          #expect(try job.waitUntilEnd() == .exited(74))
          let lines = try job.waitUntilOutputEnds()
          expectNoDifference(lines.count, 1)
          expectNoDifference(
            lines.first?.hasPrefix("rental-countdown: cannot write to standard output"),
            true
          )
        }
      }
    }

    @Test("A reader that goes away ends it by SIGPIPE, or, if that is ignored, with 74")
    func brokenPipe() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let script = """
          "$0" --seconds 300 --format json | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}
          trap '' PIPE
          "$0" --seconds 300 --format json | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}
          """
        let job = try session.launch(JobRequest(["bash", "-c", script, program]))
        #expect(try job.waitUntilEnd() == .exited(0))
        expectNoDifference(try job.waitUntilOutputEnds(), ["141", "74"])
      }
    }
  }
}
