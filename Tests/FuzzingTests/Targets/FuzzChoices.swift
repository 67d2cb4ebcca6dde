/// The bytes of an input as choices, of which a target makes what its parser must read correctly.
///
/// After the last byte, numbers are zero and texts are empty.
struct FuzzChoices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) {
    rest = Array(bytes)[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  /// Returns a number that takes as many bytes as its type.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    (0..<Number.bitWidth / 8).reduce(0) { number, _ in
      number << 8 | Number(truncatingIfNeeded: rest.popFirst() ?? 0)
    }
  }

  /// Returns the text that a zero ends.
  mutating func text() -> String {
    let bytes = rest.prefix { $0 != 0 }
    rest = rest[bytes.endIndex...].dropFirst()
    return String(decoding: bytes, as: UTF8.self)
  }
}
