import CustomDump
import JobControl
import ProgramReporting
import TestSupport
import Testing

@Suite("Printing")
@MainActor
struct PrintingTests {
  @Test("A page escapes what it says, whoever put it there")
  func pageEscapesItsText() {
    var text = ""
    let page = TextPage(terminal: nil) { text += $0 }
    page.say(OddCharacters.text)
    page.replace(OddCharacters.text)
    page.say(page.fitted(OddCharacters.text, 0))
    expectNoDifference(text, String(repeating: OddCharacters.printed + "\n", count: 3))
  }

  @Test("A page without a terminal bounds titles; all that it says is bounded")
  func pageBoundsItsText() {
    var text = ""
    let page = TextPage(terminal: nil) { text += $0 }
    let long = String(repeating: "x", count: 2_000_000)
    expectNoDifference(page.fitted(long, 5), String(repeating: "x", count: 199) + "…")
    page.say(long)
    #expect(text.utf8.count < 2_000)
  }

  @Test("A line of JSON has no character that steers a terminal, and reads back the same")
  func jsonLineIsPlain() {
    var line = JSONLine(type: "\u{9B}")
    line.add("a\u{1B}b", "\u{7F}\u{85}\u{202E}\u{2028}\u{E0041}\"\\é👩‍👧")
    expectNoDifference(
      line.text,
      #"{"type":"\u009b","a\u001bb":"\u007f\u0085\u202e\u2028\udb40\udc41\"\\é👩‍👧"}"# + "\n"
    )
  }

  @Test(
    "A program escapes its arguments in what it says of them",
    .startsProcesses,
    arguments: [
      ("feed-refresher", ["--feed"]), ("load-monitor", ["--interval"]),
      ("location-reminder", ["--place"]), ("rental-countdown", ["--seconds"]),
      ("verification-code", ["--seconds"]), ("lifecycle-tour", []),
      // Files that are not there.
      ("location-reminder", ["--track"]), ("verification-code", ["--state"]),
    ]
  )
  nonisolated func programEscapesItsArguments(program: String, options: [String]) throws {
    let argument = "/no/\n" + OddCharacters.text
    let (status, text) = try runProgram(builtProgramPath(program), options + [argument])
    #expect(status != .exited(0))
    #expect(text.contains("/no/\\u{A}" + OddCharacters.printed), "\(text)")
    let odd = text.unicodeScalars.filter {
      $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
    }
    #expect(odd.isEmpty)
  }
}
