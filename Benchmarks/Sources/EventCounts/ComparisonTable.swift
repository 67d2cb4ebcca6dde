import Foundation

/// Comparisons as text in columns.
package struct ComparisonTable: CustomStringConvertible {
  private let rows: [[String]]

  package init(_ comparisons: [Comparison]) {
    let header = ["scenario", "", "saved", "now", "difference", "limit", ""]
    rows = [header] + comparisons.map(Self.row)
  }

  package var description: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        Self.isNumeric(column)
          ? Self.padding(cell) + cell.0 : cell.0 + Self.padding(cell)
      }
      return cells.joined(separator: "  ").replacing(#/ +$/#, with: "")
    }.joined(separator: "\n")
  }

  private static func isNumeric(_ column: Int) -> Bool { (2...5).contains(column) }

  private static func padding(_ cell: (text: String, width: Int)) -> String {
    String(repeating: " ", count: cell.width - cell.text.count)
  }

  private static func row(_ comparison: Comparison) -> [String] {
    [
      comparison.scenario.rawValue,
      comparison.quantity.rawValue,
      comparison.saved.map { number($0) } ?? "–",
      number(comparison.now),
      difference(comparison),
      comparison.limit.map { number($0) } ?? "",
      comparison.remarks,
    ]
  }

  private static func difference(_ comparison: Comparison) -> String {
    guard let saved = comparison.saved, saved != comparison.now else { return "" }
    guard saved != 0 else { return number(comparison.now, sign: true) }
    return number((comparison.now / saved - 1) * 100, sign: true) + " %"
  }

  private static func number(_ value: Double, sign: Bool = false) -> String {
    value.formatted(
      .number.locale(Locale(identifier: "en_US_POSIX")).grouping(.never)
        .precision(.fractionLength(0...4))
        .sign(strategy: sign ? .always() : .automatic)
    )
  }
}
