/// An incremental parser that takes the reports of the focus out of the input of a terminal.
///
/// A terminal to which the program has written `ESC [ ? 1004 h` reports `ESC [ I` when it gains the
/// focus, and `ESC [ O` when it loses it. The parser removes these two sequences, wherever the
/// reads of the program split them. All other bytes pass unchanged and in order: keys such as
/// `ESC O A` and `ESC [ A`, and everything between `ESC [ 200 ~` and `ESC [ 201 ~`, which is pasted
/// text.
///
/// An `ESC` at the end of a read may be the key of that name, or the beginning of a report. The
/// parser keeps it, and an `ESC [`, until the next bytes. While ``isHoldingBack`` is true, the
/// reader waits for input with a timeout of about 50 ms, and calls ``flush()`` when it passes. The
/// end of pasted text may never come; while ``isPasting`` is true, the timeout is about a second.
///
/// > Note: The sequences are described in *XTerm Control Sequences*, under *FocusIn/FocusOut* and
/// > *Bracketed Paste Mode*: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
package struct TerminalInputParser: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    case plain
    /// `ESC` is held back.
    case escape
    /// `ESC [` is held back.
    case introducer
    /// As many bytes of `200~` have followed an introducer, and have been passed on.
    case pasteStart(Int)
    /// Inside pasted text, whose last bytes are as many of its end. Nothing is held back.
    case paste(Int)
  }

  private static let escape: UInt8 = 0x1B
  private static let bracket = UInt8(ascii: "[")
  private static let pasteStart: StaticString = "200~"
  private static let pasteEnd: StaticString = "\u{1B}[201~"

  private var state = State.plain

  /// Creates a parser at the beginning of the input.
  package init() {}

  /// A Boolean value that indicates whether the parser keeps bytes that ``flush()`` would return.
  package var isHoldingBack: Bool { state == .escape || state == .introducer }

  /// A Boolean value that indicates whether the last bytes are pasted text, in which there are no
  /// reports.
  package var isPasting: Bool { if case .paste = state { true } else { false } }

  /// Takes in the next bytes, and returns what they complete.
  ///
  /// - Parameter bytes: The bytes of one read, or any part of it.
  /// - Returns: The bytes for the program and the reports of the focus.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> TerminalInput {
    var input = TerminalInput()
    feed(bytes, into: &input)
    return input
  }

  /// Takes in the next bytes, and appends what they complete to an input, whose storage can so be
  /// used again.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of one read, or any part of it.
  ///   - input: The input to append to.
  package mutating func feed(_ bytes: some Sequence<UInt8>, into input: inout TerminalInput) {
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { parse($0[...], &input) }
    if isContiguous == nil { Array(bytes).withUnsafeBufferPointer { parse($0[...], &input) } }
  }

  /// Returns the bytes that are held back: they are keys, because nothing has followed them. For
  /// the same reason, pasted text is at its end.
  package mutating func flush() -> TerminalInput {
    var input = TerminalInput()
    release(&input)
    if isHoldingBack || isPasting { state = .plain }
    return input
  }
}

extension TerminalInputParser {
  private mutating func parse(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
    _ input: inout TerminalInput
  ) {
    var rest = bytes
    while true {
      if state == .plain || state == .paste(0) {
        let end = rest.firstIndex(of: Self.escape) ?? rest.endIndex
        input.bytes += rest[..<end]
        rest = rest[end...]
      }
      guard let byte = rest.popFirst() else { return }
      parse(byte, &input)
    }
  }

  private mutating func parse(_ byte: UInt8, _ input: inout TerminalInput) {
    switch state {
    case .plain:
      begin(byte, &input)
    case .escape where byte == Self.bracket:
      state = .introducer
    case .introducer where byte == UInt8(ascii: "I") || byte == UInt8(ascii: "O"):
      let isFocused = byte == UInt8(ascii: "I")
      input.focusReports.append(.init(isFocused: isFocused, offset: input.bytes.count))
      state = .plain
    case .introducer where byte == Self.pasteStart[0]:
      release(&input)
      input.bytes.append(byte)
      state = .pasteStart(1)
    case .escape, .introducer:
      release(&input)
      begin(byte, &input)
    case .pasteStart(let count) where byte == Self.pasteStart[count]:
      input.bytes.append(byte)
      state = count + 1 < Self.pasteStart.utf8CodeUnitCount ? .pasteStart(count + 1) : .paste(0)
    case .pasteStart:
      begin(byte, &input)
    case .paste(let count):
      input.bytes.append(byte)
      let matched = byte == Self.pasteEnd[count] ? count + 1 : byte == Self.escape ? 1 : 0
      state = matched < Self.pasteEnd.utf8CodeUnitCount ? .paste(matched) : .plain
    }
  }

  /// Takes in a byte that continues no sequence.
  private mutating func begin(_ byte: UInt8, _ input: inout TerminalInput) {
    if byte == Self.escape {
      state = .escape
    } else {
      input.bytes.append(byte)
      state = .plain
    }
  }

  /// Appends the bytes that are held back.
  private func release(_ input: inout TerminalInput) {
    guard isHoldingBack else { return }
    input.bytes.append(Self.escape)
    if state == .introducer { input.bytes.append(Self.bracket) }
  }
}

extension StaticString {
  fileprivate subscript(index: Int) -> UInt8 { utf8Start[index] }
}

/// The input of a terminal, separated into the bytes for the program and the reports of the focus.
package struct TerminalInput: Hashable, Sendable {
  /// A report of the terminal that it has gained or lost the focus.
  package struct FocusReport: Hashable, Sendable {
    package var isFocused: Bool
    /// The number of ``TerminalInput/bytes`` that arrived before the report.
    package var offset: Int
  }

  /// The bytes for the program, unchanged and in order.
  package var bytes: [UInt8] = []
  /// The reports of the focus, in order.
  package var focusReports: [FocusReport] = []
}
