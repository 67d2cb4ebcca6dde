/// What a person reads: sentences, and on a terminal one line below them that is redrawn in place.
///
/// Text from outside may be part of them: all that would control the terminal is escaped.
@MainActor
package final class TextPage {
  package let terminal: Terminal?
  private let write: (String) -> Void
  /// How many columns of the terminal's last line have been written to; nil when it is empty.
  private var drawn: Int?

  /// - Parameters:
  ///   - terminal: The terminal that `write` leads to, if it does.
  ///   - write: Writes a text as it is.
  package init(terminal: Terminal?, write: @escaping (String) -> Void) {
    self.terminal = terminal
    self.write = write
  }

  /// Writes a line of its own.
  package func say(_ sentence: String) {
    endLine()
    write(OutsideText.line(sentence) + "\n")
  }

  /// Draws the last line anew. There is none without a terminal.
  package func draw(_ label: String, fraction: Double) {
    guard let terminal else { return }
    let label = OutsideText.line(label)
    let bar = ProgressBar(label: label, fraction: fraction, columns: terminal.columns)
    draw(bar.text, limit: bar.limit)
  }

  /// Draws the last line anew, without a bar.
  package func draw(_ label: String) {
    guard let terminal else { return }
    let limit = max(terminal.columns - 1, 1)
    draw(String(OutsideText.line(label).prefix(limit)), limit: limit)
  }

  /// Writes a line of its own, in the place of the one that was drawn.
  package func replace(_ sentence: String) {
    guard let drawn, let terminal, terminal.isOurs else { return say(sentence) }
    let sentence = OutsideText.line(sentence)
    let rest = String(repeating: " ", count: max(0, drawn - sentence.count))
    self.drawn = nil
    write("\r" + sentence + rest + "\n")
  }

  /// As much of a text as fits into a line of the terminal after an indent; without a terminal, the
  /// first 200 characters.
  ///
  /// - Parameter indent: The number of columns before the text.
  package func fitted(_ text: String, _ indent: Int) -> String {
    let limit = terminal.map { max($0.columns - indent - 1, 1) } ?? 200
    // Escaping makes it longer.
    return OutsideText.line(OutsideText.line(text, limit: limit + 1), limit: limit)
  }

  private func draw(_ text: String, limit: Int) {
    // Spaces over what the last text had more, and no escape sequence: a dumb terminal will do.
    let rest = String(repeating: " ", count: max(0, min(drawn ?? 0, limit) - text.count))
    write("\r" + text + rest)
    drawn = max(drawn ?? 0, text.count)
  }

  /// Makes the next text begin on a line of its own, unless somebody else writes there by now.
  package func endLine() {
    guard drawn != nil else { return }
    drawn = nil
    if terminal?.isOurs == true { write("\n") }
  }
}
