/// A table in Markdown. The first column is text, the others are numbers.
struct Table {
  let heading: [String]
  let rows: [[String]]

  var markdown: String {
    let rule = ["---"] + heading.dropFirst().map { _ in "---:" }
    return ([heading, rule] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
