import LifecycleFlightRecording

/// Text from a recording, which may be anything, made safe for where it is shown.
package enum SafeText {
  /// Returns the text with each character that could control a terminal, or change the order of
  /// the characters around it, replaced by its number: `\u{1B}`.
  package static func visible(_ text: String) -> String {
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
    let start = text.unicodeScalars.prefix(300)
    return start.endIndex < text.endIndex ? String(start) + "…" : text
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
}
