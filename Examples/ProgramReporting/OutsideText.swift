/// Text that comes from outside the program, in a form that can be printed.
///
/// A title, a name, or a message may contain characters that control a terminal, begin a new line,
/// or change the direction of the text around them. They are written as in a Swift literal:
/// `\u{9B}`.
package enum OutsideText {
  /// The number of characters of a text that are printed, unless the caller passes another limit.
  package static let limit = 1000
  /// The number of scalars of a character that are printed. A family of emoji has about ten;
  /// without a limit, one letter with a million accents would be a character, too.
  private static let scalarLimit = 16

  /// Returns the text on one line, with an ellipsis where it was cut.
  ///
  /// Text that is already escaped does not change.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func line(_ text: String, limit: Int = limit) -> String {
    let limit = max(limit, 1)
    var pieces: [String] = []
    for character in text {
      guard pieces.count < limit else {
        // The ellipsis replaces the last character.
        pieces[limit - 1] = "…"
        break
      }
      let scalars = character.unicodeScalars
      let isCut = scalars.dropFirst(scalarLimit).first != nil
      let printed = scalars.prefix(scalarLimit).map(escaped).joined()
      pieces.append(isCut ? printed + "…" : printed)
    }
    return pieces.joined()
  }

  /// Returns the text, escaped line by line, for messages with several lines.
  package static func lines(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0)) }.joined(separator: "\n")
  }

  /// Returns a Boolean value that indicates whether a scalar may be printed.
  ///
  /// Of the invisible format characters, only the joiner and the non-joiner are printable: emoji
  /// and some scripts need them.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    default: true
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard !isPrintable(scalar) else { return String(Character(scalar)) }
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
