import Foundation

/// Places names beside the ends of lines, so that none covers another.
struct LabelColumn {
  /// What the axis shows; it is logarithmic.
  let range: ClosedRange<Double>
  /// How many names fit one above another.
  var capacity = 30.0

  /// Where the names of the lines go that end at these values, which are in ascending order.
  func heights(for values: [Double]) -> [Double] {
    let gap = log(range.upperBound / range.lowerBound) / capacity
    var heights = values.map { log($0) }
    for index in heights.indices.dropFirst() {
      heights[index] = max(heights[index], heights[index - 1] + gap)
    }
    // What was pushed off the top goes back down, and pushes in turn.
    var ceiling = log(range.upperBound)
    for index in heights.indices.reversed() {
      heights[index] = min(heights[index], ceiling)
      ceiling = heights[index] - gap
    }
    return heights.map { exp($0) }
  }
}
