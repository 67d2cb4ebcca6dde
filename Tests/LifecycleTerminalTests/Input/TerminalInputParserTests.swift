import CustomDump
import LifecycleTerminal
import Testing

@Suite("Terminal input parser")
struct TerminalInputParserTests {
  @Test(
    "Reports of the focus are taken out; all other bytes pass in order",
    arguments: [
      ("", ""),
      ("text", "text"),
      (focusIn, "<in>"),
      (focusOut, "<out>"),
      ("a\(focusOut)b\(focusIn)c", "a<out>b<in>c"),
      ("\(focusIn)\(focusIn)\(focusOut)", "<in><in><out>"),
      ("äöü\(focusOut)→", "äöü<out>→"),
    ]
  )
  func reports(bytes: String, text: String) {
    expect(bytes, text)
  }

  @Test(
    "Keys whose sequences look alike pass",
    arguments: [
      "\u{1B}OA", "\u{1B}OI", "\u{1B}OO", "\u{1B}[A", "\u{1B}[1;5I", "\u{1B}[2~", "\u{1B}[200;5~",
      "\u{1B}[20~", "\u{1B}[[A", "\u{1B}[[I", "\u{1B}[<0;10;10M", "\u{1B}[?1;2c", "[I", "[O", "I",
      "\u{1B}I", "\u{1B} [I", "\u{1B}[ I", "\u{1B}[?I",
    ]
  )
  func keysPass(key: String) {
    expect(key, key)
    expect("\(focusIn)\(key)\(focusOut)\(key)", "<in>\(key)<out>\(key)")
  }

  @Test(
    "A sequence that is broken off by a report passes, and the report is taken out",
    arguments: ["\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[2", "\u{1B}[20", "\u{1B}[200", "\u{1B}[1;"]
  )
  func brokenOff(sequence: String) {
    expect("\(sequence)\(focusIn)", "\(sequence)<in>")
  }

  @Test("Pasted text passes, whatever it contains")
  func pasted() {
    let paste = "\(pasteStart)x\(focusIn)\u{1B}\u{1B}[201\(focusOut)\(pasteStart)\u{1B}\(pasteEnd)"
    expect("\(paste)\(focusOut)", "\(paste)<out>")
    expect("\(paste)\(pasteEnd)\(focusOut)", "\(paste)\(pasteEnd)<out>")
  }

  @Test("A lone ESC is held back until the next bytes, or until it is flushed")
  func loneEscape() {
    for key in ["\u{1B}", "\u{1B}["] {
      var parser = TerminalInputParser()
      expectNoDifference(parser.feed("a\(key)".utf8).text, "a")
      #expect(parser.isHoldingBack)
      expectNoDifference(parser.flush().text, key)
      #expect(!parser.isHoldingBack)
      expectNoDifference(parser.flush().text, "")
      expectNoDifference(parser.feed("[I".utf8).text, "[I", "the sequence has ended with the flush")
      expectNoDifference(parser.feed(focusIn.utf8).text, "<in>")
    }
  }

  @Test("Nothing else is held back: each other byte passes at once")
  func passesAtOnce() {
    var parser = TerminalInputParser()
    for byte in "\(pasteStart)a\u{1B}[201x\(pasteEnd)bc".utf8.dropFirst(2) {
      _ = parser.feed(CollectionOfOne(byte))
      #expect(!parser.isHoldingBack || byte == 0x1B || byte == UInt8(ascii: "["))
    }
    for text in [
      "\(pasteStart)\u{1B}", "\(pasteStart)\u{1B}[", "\u{1B}[2", "\u{1B}[200", "\u{1B}O",
    ] {
      var parser = TerminalInputParser()
      expectNoDifference(parser.feed(text.utf8).text, text)
      #expect(!parser.isHoldingBack)
      expectNoDifference(parser.flush(), TerminalInput())
    }
  }

  @Test("An input is appended to, and the offsets count from its beginning")
  func appends() {
    var parser = TerminalInputParser()
    var input = TerminalInput(bytes: [1, 2])
    parser.feed("a\u{1B}".utf8, into: &input)
    parser.feed("[O".utf8, into: &input)
    expectNoDifference(input.bytes, [1, 2, UInt8(ascii: "a")])
    expectNoDifference(input.focusReports, [.init(isFocused: false, offset: 3)])
  }

  @Test("A sequence without contiguous storage is parsed, too")
  func notContiguous() {
    var parser = TerminalInputParser()
    expectNoDifference(
      parser.feed(sequence(first: 1 as UInt8) { $0 < 5 ? $0 + 1 : nil }).bytes,
      [1, 2, 3, 4, 5]
    )
  }

  private func expect(_ bytes: String, _ text: String) {
    var whole = TerminalInputParser()
    var input = whole.feed(bytes.utf8)
    input.append(whole.flush())
    expectNoDifference(input.text, text)
    for split in 0...bytes.utf8.count {
      var parser = TerminalInputParser()
      var input = parser.feed(bytes.utf8.prefix(split))
      input.append(parser.feed(bytes.utf8.dropFirst(split)))
      input.append(parser.flush())
      expectNoDifference(input.text, text, "split after \(split)")
    }
  }
}
