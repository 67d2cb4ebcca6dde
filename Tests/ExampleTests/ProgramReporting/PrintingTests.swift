import CustomDump
import JobControl
import ProgramReporting
import TestSupport
import Testing

@Suite("Printing")
@MainActor
struct PrintingTests {
  @Test("A page escapes its sentences, replacements, and titles")
  func pageEscapesItsText() {
    var text = ""
    let page = TextPage(terminal: nil) { text += $0 }
    page.say(OddCharacters.text)
    page.replace(OddCharacters.text)
    page.say(page.fitted(OddCharacters.text, 0))
    expectNoDifference(text, String(repeating: OddCharacters.printed + "\n", count: 3))
  }

  @Test("A page without a terminal cuts titles at 200 characters and sentences at 1,000")
  func pageBoundsItsText() {
    var text = ""
    let page = TextPage(terminal: nil) { text += $0 }
    let long = String(repeating: "x", count: 2_000_000)
    expectNoDifference(page.fitted(long, 5), String(repeating: "x", count: 199) + "…")
    page.say(long)
    #expect(text.utf8.count < 2_000)
  }

  @Test("A line of JSON escapes control characters")
  func jsonLineIsPlain() {
    var line = JSONLine(type: "\u{9B}")
    line.add("a\u{1B}b", "\u{7F}\u{85}\u{202E}\u{2028}\u{E0041}\"\\é👩‍👧")
    expectNoDifference(
      line.text,
      #"{"type":"\u009b","a\u001bb":"\u007f\u0085\u202e\u2028\udb40\udc41\"\\é👩‍👧"}"# + "\n"
    )
  }
}
