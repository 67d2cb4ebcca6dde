import CustomDump
import ProgramReporting
import Testing

/// A character of each class that no program passes on to a terminal, and what is printed for it.
enum OddCharacters {
  static let all: [(text: String, printed: String)] = [
    ("\u{7}", "\\u{7}"), ("\u{8}", "\\u{8}"), ("\t", "\\u{9}"), ("\r", "\\u{D}"),
    ("\u{1B}[31m", "\\u{1B}[31m"), ("\u{7F}", "\\u{7F}"), ("\u{85}", "\\u{85}"),
    ("\u{9B}31m", "\\u{9B}31m"), ("\u{9D}0;title\u{9C}", "\\u{9D}0;title\\u{9C}"),
    ("\u{AD}", "\\u{AD}"), ("\u{61C}", "\\u{61C}"), ("\u{200B}", "\\u{200B}"),
    ("\u{200F}", "\\u{200F}"), ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"),
    ("\u{202E}", "\\u{202E}"), ("\u{2066}", "\\u{2066}"), ("\u{FEFF}", "\\u{FEFF}"),
    ("\u{E0041}", "\\u{E0041}"),
  ]

  /// All of them but a line feed, which is no part of a line.
  static let text = all.map(\.text).joined()
  static let printed = all.map(\.printed).joined()
}

@Suite("Text from outside")
struct OutsideTextTests {
  @Test("Control characters are escaped, and an escaped text stays as it is")
  func whatSteersTerminalIsEscaped() {
    for (text, printed) in OddCharacters.all + [("\n", "\\u{A}"), ("\r\n", "\\u{D}\\u{A}")] {
      expectNoDifference(OutsideText.line("a\(text)b"), "a\(printed)b")
    }
    expectNoDifference(OutsideText.line(OddCharacters.printed), OddCharacters.printed)
  }

  @Test("Letters, emoji, and joiners stay as they are")
  func plainTextStays() {
    for text in ["", "Grüße — “日本” \\u{9B}", "e\u{301}", "👩🏽‍❤️‍💋‍👨🏿", "می‌خواهم", "🇩🇪", "\u{A0}"] {
      expectNoDifference(OutsideText.line(text), text)
    }
  }

  @Test("A long text is cut to a number of characters")
  func longTextIsCut() {
    expectNoDifference(OutsideText.line("abcd", limit: 4), "abcd")
    expectNoDifference(OutsideText.line("abcde", limit: 4), "abc…")
    expectNoDifference(OutsideText.line("日本語日本", limit: 4), "日本語…")
    expectNoDifference(OutsideText.line("ab\u{9B}cd", limit: 3), "ab…")
    expectNoDifference(OutsideText.line("ab", limit: 0), "…")
    expectNoDifference(
      OutsideText.line(String(repeating: "x", count: 2_000_000)).count,
      OutsideText.limit
    )
  }

  @Test("A character with a million accents is cut")
  func characterOfMillionAccentsIsCut() {
    let letter = "e" + String(repeating: "\u{301}", count: 1_000_000)
    let printed = OutsideText.line(letter + "a" + letter)
    #expect(printed.utf8.count < 100)
    #expect(printed.contains("a"))
    #expect(OutsideText.line(letter, limit: 1).utf8.count < 50)
  }

  @Test("A message of several lines is escaped line by line")
  func severalLinesAreKept() {
    expectNoDifference(OutsideText.lines("a\n\n\u{9B}b\r\n"), "a\n\n\\u{9B}b\\u{D}\n")
  }
}

@Suite("Numbers as they are typed")
struct PlainNumberTests {
  @Test("A typed number is digits with a sign and a fraction, and nothing else")
  func digitsSignAndFraction() {
    for (text, number) in [("0", 0.0), ("-1.5", -1.5), ("+2", 2), (".5", 0.5), ("5.", 5)] {
      expectNoDifference(PlainNumber.parse(text), number)
    }
    let tooLong = String(repeating: "9", count: 400)
    for text in ["", "-", ".", "1e3", "0x10", "nan", "inf", " 1", "1 ", "1,5", "١", tooLong] {
      expectNoDifference(PlainNumber.parse(text), nil, "\(text)")
    }
  }

  @Test("A number out of range is refused with the range")
  func outOfRangeIsRefused() throws {
    #expect(try PlainNumber.parse("1", in: 1...2) == 1)
    #expect(throws: PlainNumber.Problem(description: "Specify a number from 0.1 to 86400.")) {
      try PlainNumber.parse("0", in: 0.1...86_400)
    }
  }
}
