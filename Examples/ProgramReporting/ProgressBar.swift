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
