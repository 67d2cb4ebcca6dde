import Foundation

/// What became of a value in several rounds.
struct Spread {
  /// The middle value, or the mean of the two in the middle.
  let median: Double
  /// The least value.
  let min: Double
  /// The greatest value.
  let max: Double

  /// The spread of the values; nil if there are none.
  init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }
}

/// The least-squares slope of log(y) over log(x): 1 for linear growth, 0 for none. Nil for fewer than
/// two points.
func growthExponent(_ points: [(x: Double, y: Double)]) -> Double? {
  guard points.count >= 2 else { return nil }
  let logs = points.map { (x: log($0.x), y: log($0.y)) }
  let count = Double(logs.count)
  let meanX = logs.reduce(0) { $0 + $1.x } / count
  let meanY = logs.reduce(0) { $0 + $1.y } / count
  let covariance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
  let variance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
  return covariance / variance
}
