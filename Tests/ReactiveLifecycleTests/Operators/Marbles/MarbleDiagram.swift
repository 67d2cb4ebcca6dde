import Foundation
import Testing

/// A marble diagram as the documentation of an operator shows it: each row is an input or an
/// output, each column a moment.
///
/// The marbles of a row are phases, events, and values; `S` and `C`, where upstream is subscribed
/// to and cancelled; `|`, the completion. `[34]` are two marbles of one moment, `(1, active)` is
/// one marble.
struct MarbleDiagram: Sendable, CustomTestStringConvertible {
  struct Marble: Hashable, Sendable, CustomStringConvertible {
    let column: Int
    let text: String

    var description: String { "\(column) \(text)" }
  }

  /// The source file whose documentation shows the diagram.
  let file: String
  let lines: [String]

  init(in file: String, _ text: String) {
    self.file = file
    lines = text.split(separator: "\n").map(String.init)
  }

  var testDescription: String { file }

  /// The number of columns.
  var width: Int { (lines.map(\.count).max() ?? 0) - margin }

  /// The marbles of the row with that label; none if there is no such row.
  func row(_ label: String) -> [Marble] {
    guard let line = lines.first(where: { $0.hasPrefix(label + " ") }) else { return [] }
    return Self.marbles(in: Array(line.dropFirst(margin)))
  }

  /// Whether the diagram stands, line for line, in a documentation comment of its file.
  func isDocumented() throws -> Bool {
    let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    let source = try String(
      contentsOf: root.appending(path: "Sources/\(file).swift"),
      encoding: .utf8
    )
    let comments = source.split(separator: "\n").compactMap { line in
      line.firstRange(of: "/// ").map { String(line[$0.upperBound...]) }
    }
    return comments.indices.contains { comments[$0...].starts(with: lines) }
  }

  /// The width of the labels.
  private var margin: Int {
    let first = lines.first ?? ""
    let label = first.prefix { $0 != " " }.count
    return label + first.dropFirst(label).prefix { $0 == " " }.count
  }

  private static func marbles(in row: [Character]) -> [Marble] {
    var marbles: [Marble] = []
    var column = 0
    while column < row.count {
      let rest = row[column...]
      var length = 1
      switch row[column] {
      case "(":
        length = rest.prefix { $0 != ")" }.count + 1
        marbles.append(Marble(column: column, text: String(rest.prefix(length))))
      case "[":
        let group = rest.dropFirst().prefix { $0 != "]" }
        length = group.count + 2
        marbles += group.map { Marble(column: column, text: String($0)) }
      case let character where character.isLetter:
        length = rest.prefix(while: \.isLetter).count
        marbles.append(Marble(column: column, text: String(rest.prefix(length))))
      case "─", "═", "▶", " ": break
      case let character: marbles.append(Marble(column: column, text: String(character)))
      }
      column += length
    }
    return marbles
  }
}
