#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A page for people: sentences, and on a terminal one line below them that is redrawn in place.
///
/// Both may contain text from outside: characters that would control the terminal are escaped.
@MainActor
package final class TextPage {
  package let terminal: Terminal?
  private let write: (String) -> Void
  /// The number of columns that are in use in the terminal's last line; nil when the line is empty.
  private var drawn: Int?

  /// - Parameters:
  ///   - terminal: The terminal that `write` writes to; nil if it writes elsewhere.
  ///   - write: Writes a text unchanged.
  package init(terminal: Terminal?, write: @escaping (String) -> Void) {
    self.terminal = terminal
    self.write = write
  }

  /// Writes a sentence on a separate line.
  package func say(_ sentence: String) {
    endLine()
    write(OutsideText.line(sentence) + "\n")
  }

  /// Redraws the last line. Has no effect without a terminal.
  package func draw(_ label: String, fraction: Double) {
    guard let terminal else { return }
    let label = OutsideText.line(label)
    let bar = ProgressBar(label: label, fraction: fraction, columns: terminal.columns)
    draw(bar.text, limit: bar.limit)
  }

  /// Redraws the last line, without a bar. Has no effect without a terminal.
  package func draw(_ label: String) {
    guard let terminal else { return }
    let limit = max(terminal.columns - 1, 1)
    draw(String(OutsideText.line(label).prefix(limit)), limit: limit)
  }

  /// Writes a sentence on a separate line, in place of the line that was drawn.
  package func replace(_ sentence: String) {
    guard let drawn, let terminal, terminal.isOurs else { return say(sentence) }
    let sentence = OutsideText.line(sentence)
    let rest = String(repeating: " ", count: max(0, drawn - sentence.count))
    self.drawn = nil
    write("\r" + sentence + rest + "\n")
  }

  /// Returns as much of a text as fits on a line of the terminal after an indent; without a
  /// terminal, the first 200 characters.
  ///
  /// - Parameter indent: The number of columns before the text.
  package func fitted(_ text: String, _ indent: Int) -> String {
    let limit = terminal.map { max($0.columns - indent - 1, 1) } ?? 200
    // Escaping can make the text longer, so it is cut twice.
    return OutsideText.line(OutsideText.line(text, limit: limit + 1), limit: limit)
  }

  private func draw(_ text: String, limit: Int) {
    // Spaces, not an escape sequence, cover the rest of a longer text: a dumb terminal is enough.
    let rest = String(repeating: " ", count: max(0, min(drawn ?? 0, limit) - text.count))
    write("\r" + text + rest)
    drawn = max(drawn ?? 0, text.count)
  }

  /// Makes the next text begin on a new line, unless another program uses the terminal by now.
  package func endLine() {
    guard drawn != nil else { return }
    drawn = nil
    if terminal?.isOurs == true { write("\n") }
  }
}

/// A line that fits the width of a terminal.
package struct ProgressBar {
  /// The number of columns that may be used. The last one is left free, because some terminals wrap
  /// there.
  package let limit: Int
  package let text: String

  /// Creates a line, which has no bar if the terminal is too narrow for one.
  package init(label: String, fraction: Double, columns: Int) {
    limit = max(columns - 1, 1)
    let room = min(limit - label.count - 3, 50)
    guard room >= 5 else {
      text = String(label.prefix(limit))
      return
    }
    let full = Int(Double(room) * min(max(fraction, 0), 1))
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
    text = "[\(bar)] \(label)"
  }
}

/// A terminal behind a descriptor.
package struct Terminal {
  private let descriptor: CInt

  /// Creates a terminal, or returns nil if the descriptor is not one of a terminal.
  package init?(descriptor: CInt) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
  }

  /// The current width in columns; 80 if the terminal does not report one.
  package var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A Boolean value that indicates whether this process is in the terminal's foreground, so that
  /// writing cannot stop it (SIGTTOU).
  package var isOurs: Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }
}
