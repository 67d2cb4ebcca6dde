import LifecycleFlightRecording

/// Text from a recording, which may be anything, made safe for where it is shown.
enum SafeText {
  /// Returns the text with each character that could control a terminal, or change the order of
  /// the characters around it, replaced by its number: `\u{1B}`.
  static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.isPrintable {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }

  /// Returns the text for XML and HTML, in an element or between double quotes.
  static func markup(_ text: String) -> String {
    let text = visible(text)
    if text.utf8.allSatisfy({ !special.contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the text, cut off with `…` after 300 characters: a tooltip has no more room.
  static func short(_ text: String) -> String {
    let text = visible(text)
    guard let end = text.index(text.startIndex, offsetBy: 300, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return text[..<end] + "…"
  }

  private static let special = Set("&<>\"'".utf8)

  /// Returns the text as a JSON string that can stand inside a `script` element.
  static func json(_ text: String) -> String {
    var result = "\""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case "&": result += "\\u0026"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The greatest number of columns that a terminal may use for the text.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x500 || isDrawing($1) ? 1 : 2) }
  }

  /// Punctuation, arrows, lines, blocks and shapes, which take one column.
  private static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2010...0x2027, 0x2190...0x2193, 0x2500...0x25E6, 0x2713, 0x2717: true
    default: false
    }
  }

  /// Returns the text, cut off with `…` if it could be wider than a number of columns.
  static func fitted(_ text: String, columns: Int) -> String {
    let text = visible(text)
    if text.utf8.count <= columns || Self.columns(text) <= columns { return text }
    var result = ""
    var width = 1
    for character in text {
      width += Self.columns(String(character))
      if width > columns { break }
      result.append(character)
    }
    return columns > 0 ? result + "…" : ""
  }
}
