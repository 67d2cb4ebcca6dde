import CustomDump
import Testing

@testable import LifecycleTerminal

@Suite("Terminal input parser")
struct TerminalInputParserTests {
  @Test(
    "Keys whose sequences resemble reports pass unchanged",
    arguments: [
      "\u{1B}OA", "\u{1B}OI", "\u{1B}OO", "\u{1B}[A", "\u{1B}[1;5I", "\u{1B}[2~", "\u{1B}[200;5~",
      "\u{1B}[20~", "\u{1B}[[A", "\u{1B}[[I", "\u{1B}[<0;10;10M", "\u{1B}[?1;2c", "[I", "[O", "I",
      "\u{1B}I", "\u{1B} [I", "\u{1B}[ I", "\u{1B}[?I",
    ]
  )
  func keysPass(key: String) {
    var parser = TerminalInputParser()
    var input = parser.feed("\(focusIn)\(key)\(focusOut)ä\(key)".utf8)
    input.append(parser.flush())
    expectNoDifference(input.text, "<in>\(key)<out>ä\(key)")
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

  @Test("Pasted text without an end ends with a flush: reports after it are none of its bytes")
  func pasteWithoutEnd() {
    var parser = TerminalInputParser()
    expectNoDifference(
      parser.feed("\(pasteStart)x\(focusOut)".utf8).text,
      "\(pasteStart)x\(focusOut)"
    )
    #expect(parser.isPasting)
    expectNoDifference(parser.flush().text, "")
    #expect(!parser.isPasting)
    expectNoDifference(parser.feed(focusOut.utf8).text, "<out>")
  }
}

@Suite("Terminal input parser, every input")
struct TerminalInputParserExhaustiveTests {
  private static let bytes = Array("\u{1B}[IO201~a".utf8)
  private static let pieces = ["\u{1B}", "[", "I", "O", "200~", "201~", "a"].map { Array($0.utf8) }

  @Test("Every input of up to five pieces is parsed as the reference does, byte for byte")
  func everySequence() {
    var breaches: [String] = []
    var count = 0
    func explore(_ parser: TerminalInputParser, _ fed: [UInt8], _ input: TerminalInput, depth: Int)
    {
      count += 1
      if let breach = check(parser, fed, input) { breaches.append(breach) }
      guard depth < 5 else { return }
      for piece in Self.pieces {
        var (parser, input) = (parser, input)
        for byte in piece { parser.feed(CollectionOfOne(byte), into: &input) }
        explore(parser, fed + piece, input, depth: depth + 1)
      }
    }
    explore(TerminalInputParser(), [], TerminalInput(), depth: 0)
    #expect(breaches.isEmpty, "\(breaches.prefix(10))")
    expectNoDifference(count, 19_608, "none was left out")
  }

  @Test("In every state, a read is parsed like its bytes one by one")
  func everySplit() {
    let states = reachableStates()
    expectNoDifference(states.count, 12)
    var breaches: [String] = []
    func explore(
      _ read: [UInt8],
      _ state: TerminalInputParser,
      _ split: TerminalInputParser,
      _ input: TerminalInput
    ) {
      var whole = state
      if whole.feed(read) != input || whole != split { breaches.append("\(state): \(read)") }
      guard read.count < 4 else { return }
      for byte in Self.bytes {
        var (split, input) = (split, input)
        split.feed(CollectionOfOne(byte), into: &input)
        explore(read + [byte], state, split, input)
      }
    }
    for state in states { explore([], state, state, TerminalInput()) }
    #expect(breaches.isEmpty, "\(breaches.prefix(10))")
  }

  /// Returns what is wrong with the output for the bytes that were fed.
  private func check(_ parser: TerminalInputParser, _ fed: [UInt8], _ input: TerminalInput)
    -> String?
  {
    var (parser, all) = (parser, input)
    let wasHoldingBack = parser.isHoldingBack
    let held = parser.flush()
    all.append(held)
    let tail = held.bytes.isEmpty ? "" : String(decoding: held.bytes, as: UTF8.self)
    guard all == reference(fed), ["", "\u{1B}", "\u{1B}["].contains(tail),
      all.bytes.count + 3 * all.focusReports.count == fed.count,
      wasHoldingBack == !tail.isEmpty
    else { return String(decoding: fed, as: UTF8.self).debugDescription }
    return nil
  }

  private func reachableStates() -> Set<TerminalInputParser> {
    var states: Set = [TerminalInputParser()]
    var open = Array(states)
    while let state = open.popLast() {
      for byte in Self.bytes {
        var next = state
        _ = next.feed(CollectionOfOne(byte))
        if states.insert(next).inserted { open.append(next) }
      }
    }
    return states
  }
}

/// What the parser is to return for a whole input: a search for each sequence, without a state that
/// outlives a call.
func reference(_ bytes: [UInt8]) -> TerminalInput {
  var input = TerminalInput()
  var rest = bytes[...]
  var isPasting = false
  func matches(_ sequence: String) -> Bool { rest.starts(with: sequence.utf8) }
  while !rest.isEmpty {
    var count = 1
    if !isPasting, matches(focusIn) || matches(focusOut) {
      input.focusReports.append(
        .init(isFocused: matches(focusIn), offset: input.bytes.count)
      )
      rest = rest.dropFirst(3)
      continue
    } else if matches(isPasting ? pasteEnd : pasteStart) {
      isPasting.toggle()
      count = 6
    }
    input.bytes += rest.prefix(count)
    rest = rest.dropFirst(count)
  }
  return input
}

let focusIn = "\u{1B}[I"
let focusOut = "\u{1B}[O"
let pasteStart = "\u{1B}[200~"
let pasteEnd = "\u{1B}[201~"

extension TerminalInput {
  /// Adds what a parser returned after this.
  mutating func append(_ later: TerminalInput) {
    let offset = bytes.count
    bytes += later.bytes
    focusReports += later.focusReports.map {
      FocusReport(isFocused: $0.isFocused, offset: $0.offset + offset)
    }
  }

  /// The input as text, with the reports in their places.
  var text: String {
    var text = ""
    var start = 0
    for report in focusReports {
      text += String(decoding: bytes[start..<report.offset], as: UTF8.self)
      text += report.isFocused ? "<in>" : "<out>"
      start = report.offset
    }
    return text + String(decoding: bytes[start...], as: UTF8.self)
  }
}
