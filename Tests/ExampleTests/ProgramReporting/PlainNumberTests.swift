import CustomDump
import ProgramReporting
import Testing

@Suite("Numbers as they are typed")
struct PlainNumberTests {
  @Test("Digits with a sign and a fraction, and nothing else")
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
