import CustomDump
import LifecycleTerminal
import TestSupport
import Testing

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

  @Test("In every state, a read gives the same as its bytes one by one")
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

  @Test("Random inputs in random reads", arguments: seeds(100))
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var fed: [UInt8] = []
    while fed.count < 400 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: fed += Array([focusIn, focusOut].randomElement(using: &generator)!.utf8)
      case 1: fed += Array([pasteStart, pasteEnd].randomElement(using: &generator)!.utf8)
      case 2: fed.append(.random(in: .min ... .max, using: &generator))
      default: fed.append(Self.bytes.randomElement(using: &generator)!)
      }
    }
    var parser = TerminalInputParser()
    var input = TerminalInput()
    var rest = fed[...]
    while !rest.isEmpty {
      let read = rest.prefix(.random(in: 1...40, using: &generator))
      rest = rest.dropFirst(read.count)
      parser.feed(read, into: &input)
      let breach = check(parser, Array(fed[..<read.endIndex]), input)
      expectNoDifference(breach, nil, "LIFECYCLE_SEED=\(seed)")
    }
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
