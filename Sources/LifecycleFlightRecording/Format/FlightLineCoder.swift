#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
  import class FoundationEssentials.JSONDecoder
  import class FoundationEssentials.JSONEncoder
#else
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import class Foundation.JSONEncoder
#endif

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
    if String(validating: bytes, as: UTF8.self) == nil {
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
