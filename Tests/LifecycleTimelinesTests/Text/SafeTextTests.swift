import CustomDump
import Testing

@testable import LifecycleTimelines

@Suite("Text from a recording is made safe")
struct SafeTextTests {
  @Test(
    "What could control a terminal, or reorder a line, is written as its number",
    arguments: [
      ("plain, ünïcödé, 漢字", "plain, ünïcödé, 漢字"),
      ("\u{1B}[31m", "\\u{1B}[31m"),
      ("\u{9B}31m\u{7F}\u{0}\r\n\t", "\\u{9B}31m\\u{7F}\\u{0}\\u{D}\\u{A}\\u{9}"),
      ("\u{202E}\u{2066}\u{200B}\u{2028}", "\\u{202E}\\u{2066}\\u{200B}\\u{2028}"),
    ]
  )
  func visible(_ text: String, _ expected: String) {
    expectNoDifference(SafeText.visible(text), expected)
  }

  @Test("Markup becomes text")
  func markup() {
    expectNoDifference(
      SafeText.markup("</script>\"'&\u{0}"),
      "&lt;/script&gt;&quot;&#39;&amp;\\u{0}"
    )
  }

  @Test("A JSON string can't end the script element that it is in")
  func json() {
    expectNoDifference(
      SafeText.json("</script><!--\"\\&\n"),
      "\"\\u003c/script\\u003e\\u003c!--\\\"\\\\\\u0026\\\\u{A}\""
    )
  }

  @Test(
    "A text is cut off at the width that it has at most",
    arguments: [
      ("rental", 6, "rental"), ("rental", 5, "rent…"), ("漢字", 4, "漢字"), ("漢字", 3, "漢…"),
      ("漢字", 2, "…"), ("\u{1B}", 3, "\\u…"), ("rental", 1, "…"), ("rental", 0, ""),
    ]
  )
  func fitted(_ text: String, _ columns: Int, _ expected: String) {
    expectNoDifference(SafeText.fitted(text, columns: columns), expected)
  }
}
