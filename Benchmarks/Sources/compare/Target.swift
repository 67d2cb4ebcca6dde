import BenchmarkSupport

/// What is to be reached: costs within a limit, as a multiple of other costs of the same round or in
/// nanoseconds.
struct Target {
  /// What is compared with what.
  let name: String
  /// The dearest of them counts.
  let rows: [RowID]
  /// The cheapest of them is the measure; nanoseconds if there are none.
  var references: [RowID] = []
  /// How much is allowed; nil for information only.
  let limit: Double?

  /// What stands behind the value.
  var unit: String { references.isEmpty ? " ns" : " ×" }

  /// What a round reached; nil if it lacks a row.
  func value(in round: Measurements.Round) -> Double? {
    let costs = rows.compactMap { Self.cost($0, round) }
    let referenceCosts = references.compactMap { Self.cost($0, round) }
    guard costs.count == rows.count, referenceCosts.count == references.count,
      let cost = costs.max()
    else { return nil }
    return referenceCosts.min().map { cost / $0 } ?? cost
  }

  /// Whether the value is within the limit; nil without a limit.
  func isMet(by value: Double) -> Bool? {
    limit.map { value <= $0 }
  }

  /// Per call where that means something, else per operation.
  private static func cost(_ row: RowID, _ round: Measurements.Round) -> Double? {
    round[row].map { row.operation.unitPerSize == nil ? $0 : $0 / Double(row.size) }
  }
}
