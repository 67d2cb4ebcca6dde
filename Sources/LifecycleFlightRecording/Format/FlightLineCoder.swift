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
    } catch let damage as FlightLineDamage {
      throw damage
    } catch {
      throw .unreadable(Self.reason(bytes))
    }
  }

  /// Returns the reason why the bytes are not a JSON object.
  private static func reason(_ bytes: ArraySlice<UInt8>) -> String {
    if isUnfinishedObject(bytes) {
      return "it is cut off after \(bytes.count) bytes"
    }
    let text = FlightLineDamage.quoted(String(decoding: bytes.prefix(400), as: UTF8.self))
    let isText = String(validating: bytes, as: UTF8.self) != nil
    return "it is not \(isText ? "a JSON object" : "text in UTF-8"): \(text)"
  }

  /// Returns whether the bytes begin an object, and end before it does.
  private static func isUnfinishedObject(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "{") else { return false }
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return isText || depth > 0
  }
}
