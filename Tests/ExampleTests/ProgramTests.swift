import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// What the programs have in common: their command lines, and the streams that they write to.
@Suite("Programs", .serialized, .startsProcesses)
struct ProgramTests {
  private static let track = ["--track", shippedTrack]
  private static let feed = ["--feed", "http://127.0.0.1:1/"]

  /// Arguments that are wrong, and what the message must name.
  private static let badArguments: [(program: String, arguments: [String], named: String)] = [
    ("rental-countdown", ["--seconds", "0"], "--seconds"),
    ("rental-countdown", ["--seconds", "1000000001"], "1000000000"),
    ("rental-countdown", ["--format", "xml"], "--format"),
    ("rental-countdown", ["5"], "5"),
    ("verification-code", ["--seconds", "9223372036854775808"], "--seconds"),
    ("verification-code", ["--state", ""], "--state"),
    ("load-monitor", ["--interval", "9"], "Specify a whole number from 10 to 86400000."),
    ("location-reminder", [], "--track"),
    ("location-reminder", track + ["--rate", "nan"], "--rate"),
    ("location-reminder", track + ["--place", "91,0"], "--place"),
    ("location-reminder", track + ["--radius", "0"], "--radius"),
    ("location-reminder", track + ["--burst", "1.5"], "--burst"),
    ("location-reminder", track + ["--rest", "-1"], "--rest"),
    ("feed-refresher", [], "--feed"),
    ("feed-refresher", ["--feed", "file:///etc/passwd"], "--feed"),
    ("feed-refresher", ["--feed", "http://"], "--feed"),
    ("feed-refresher", feed + ["--interval", "0.5"], "--interval"),
    ("feed-refresher", feed + ["--deadline", "0"], "--deadline"),
    ("lifecycle-tour", ["--frob"], "--frob"),
  ]

  @Test("A bad argument is named on standard error, and the status is 64")
  func badArguments() throws {
    for (program, arguments, named) in Self.badArguments {
      let script = #"exec "$0" "$@" 2>&1 >/dev/full"#
      let path = try builtProgramPath(program)
      let (status, text) = try runProgram("/bin/sh", ["-c", script, path] + arguments)
      expectNoDifference(status, .exited(64), "\(program) \(arguments)")
      #expect(text.contains(named), "\(program) \(arguments): \(text)")
    }
  }

  @Test("--help is printed on standard output, and the status is 0")
  func help() throws {
    for program in Set(Self.badArguments.map(\.program)).union(["lifecycle-monitor"]) {
      let (status, text) = try runProgram(builtProgramPath(program), ["--help"])
      expectNoDifference(status, .exited(0))
      #expect(text.contains("USAGE: \(program) "), "\(text)")
    }
  }

  @Test(
    "An error message escapes the arguments that it quotes",
    arguments: [
      ("feed-refresher", ["--feed"]), ("lifecycle-tour", []),
      // Files that are not there.
      ("location-reminder", ["--track"]), ("verification-code", ["--state"]),
    ]
  )
  func argumentsAreEscaped(program: String, options: [String]) throws {
    let argument = "/no/\n" + OddCharacters.text
    let (status, text) = try runProgram(builtProgramPath(program), options + [argument])
    #expect(status != .exited(0))
    #expect(text.contains("/no/\\u{A}" + OddCharacters.printed), "\(text)")
  }

  @Test(
    "Output that cannot be written is an error with the status 74",
    arguments: [">/dev/full", ">&- <&-"]
  )
  func unwritableOutput(redirection: String) throws {
    for format in ["json", "text"] {
      let script = "exec \"$0\" --seconds 5 --format \(format) \(redirection)"
      let program = try builtProgramPath("rental-countdown")
      let (status, text) = try runProgram("/bin/sh", ["-c", script, program])
      expectNoDifference(status, .exited(74))
      #expect(text.hasPrefix("rental-countdown: cannot write to standard output"), "\(text)")
    }
  }
}
