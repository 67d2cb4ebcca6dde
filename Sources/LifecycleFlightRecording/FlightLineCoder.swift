import LifecycleSupport

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
  import class FoundationEssentials.JSONDecoder
  import class FoundationEssentials.JSONEncoder
#else
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import class Foundation.JSONEncoder
#endif

/// The names and limits of the format.
enum FlightFormat {
  /// The value of the field `format` in the head of each run.
  static let name = "lifecycle-recording"

  /// The version that is written, and the only one that is read. A field that is added is optional,
  /// so that files without it can still be read.
  static let version = 1

  /// The greatest number: JSON readers that compute with floating-point numbers know it exactly.
  static let greatestNumber = 1 << 53 - 1

  /// Returns the number within the limits of the format.
  static func number(_ number: Int) -> Int { min(max(number, 0), greatestNumber) }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded toward zero; ±292 years at most.
  var wholeNanoseconds: Int64 {
    let range = Duration.nanoseconds(Int64.min)...Duration.nanoseconds(Int64.max)
    let (seconds, attoseconds) = min(max(self, range.lowerBound), range.upperBound).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// Turns lines into bytes, and bytes into lines.
struct FlightLineCoder {
  private let encoder: JSONEncoder
  private let decoder = JSONDecoder()

  init() {
    encoder = JSONEncoder()
    // Without this, the order of the fields differs from process to process.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Appends the line and the line feed that ends it.
  func append(_ line: FlightLine, to bytes: inout [UInt8]) {
    // A line has texts, integers and truth values, which JSON can represent, and no other values.
    bytes += try! encoder.encode(line)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the line that has these bytes, without a line feed.
  func line(_ bytes: ArraySlice<UInt8>) throws(FlightLineDamage) -> FlightLine {
    // The decoder would take some bytes with NULs for another encoding.
    if bytes.index(of: 0) != nil { throw .unreadable("it contains a NUL byte") }
    do {
      return try decoder.decode(FlightLine.self, from: Data(bytes))
    } catch {
      throw Self.damage(bytes, error)
    }
  }

  /// Returns the reason why the decoder does not accept the bytes.
  private static func damage(_ bytes: ArraySlice<UInt8>, _ error: any Error) -> FlightLineDamage {
    if isUnfinishedObject(bytes) {
      return .unreadable("it is cut off after \(bytes.count) bytes")
    }
    let text = FlightLineDamage.quoted(String(decoding: bytes.prefix(400), as: UTF8.self))
    if String(validUTF8: bytes) == nil {
      return .unreadable("it is not text in UTF-8: \(text)")
    }
    return error as? FlightLineDamage ?? .unreadable("it is not a JSON object: \(text)")
  }

  /// Returns whether the bytes begin an object, and end before it does.
  private static func isUnfinishedObject(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard bytes.first == UInt8(ascii: "{") else { return false }
      let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
      let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
      var (depth, isText, isEscaped) = (0, false, false)
      for byte in bytes {
        if isEscaped {
          isEscaped = false
        } else if byte == quote {
          isText.toggle()
        } else if isText {
          isEscaped = byte == backslash
        } else if byte == opening {
          depth += 1
        } else if byte == closing {
          depth -= 1
        }
      }
      return isText || depth > 0
    }
  }
}

/// The reason why a line of a file can't be read.
enum FlightLineDamage: Error, Hashable, Sendable {
  /// The problem, in words.
  case unreadable(String)
  /// It is the head of a run in a later version of the format.
  case laterVersion(Int)

  /// The problem, in words.
  var reason: String {
    switch self {
    case .unreadable(let reason): reason
    case .laterVersion(let version):
      """
      the run has version \(version) of the format, and this program reads version \
      \(FlightFormat.version): read it with a later version of swift-reactive-lifecycle
      """
    }
  }
}

extension FlightLineDamage {
  /// Returns a text in quotation marks, shortened, in one line of printable characters.
  static func quoted(_ text: some StringProtocol) -> String {
    let limit = 60
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      shown += scalar.properties.isPrintable ? String(scalar) : scalar.escaped(asASCII: true)
    }
    let isCut = text.unicodeScalars.dropFirst(limit).first != nil
    return "\"\(shown)\(isCut ? "…" : "")\""
  }
}

extension Unicode.Scalar.Properties {
  /// A Boolean value that indicates whether the character can neither control a terminal nor change
  /// the order of the characters around it.
  package var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the index of the first such byte; nil if there is none.
  ///
  /// - Complexity: O(*n*), at the speed of the memory also in code that is not optimized.
  func index(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count)
      else {
        return nil
      }
      return startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }
}
