/// A table in Markdown. The first column is text, the others are numbers.
struct Table {
  /// The columns' names.
  let heading: [String]
  /// The cells, row by row.
  let rows: [[String]]

  /// The table's text.
  var markdown: String {
    let rule = ["---"] + heading.dropFirst().map { _ in "---:" }
    return ([heading, rule] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
