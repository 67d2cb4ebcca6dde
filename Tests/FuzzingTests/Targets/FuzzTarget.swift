/// A parser, and what must hold whatever bytes it reads.
struct FuzzTarget: Sendable {
  /// The name of the target, which is also that of its corpus.
  let name: String
  private let findFault: @Sendable ([UInt8]) -> String?

  init(_ name: String, fault: @escaping @Sendable ([UInt8]) -> String?) {
    self.name = name
    findFault = fault
  }

  /// Returns what is wrong with the result for these bytes; nil if nothing is.
  func fault(in bytes: [UInt8]) -> String? { findFault(bytes) }
}

extension FuzzTarget {
  /// The targets, one for each parser and file format. Short texts share one.
  static var all: [FuzzTarget] {
    var targets = [
      arguments, codable, countdown, feed, jobControl, journal, nmea, recording, terminal,
      transcript,
    ]
    #if os(Linux)
      targets += [controlGroup, processText, systemText]
    #endif
    #if Services
      targets.append(notifySocket)
    #endif
    return targets
  }
}

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
