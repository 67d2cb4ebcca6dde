/// The ticks of a time axis.
struct TimeAxis {
  /// The longest time that is drawn, in seconds: some 30,000 years.
  static let longest = 1e12

  /// The distance of the ticks, in seconds.
  let step: Double
  /// The times of the ticks, in seconds.
  let ticks: [Double]

  /// Creates the ticks of a span of time: distances of 1, 2 and 5 in powers of ten up to seconds,
  /// then those of a clock and a calendar.
  ///
  /// - Parameters:
  ///   - start: The beginning, in seconds.
  ///   - end: The end, in seconds.
  ///   - count: The greatest number of distances that there is room for.
  init(from start: Double, to end: Double, count: Int) {
    let least = max((end - start) / Double(max(count, 1)), 1e-6)
    step = Self.step(atLeast: least)
    let first = Int((start / step).rounded(.up))
    let last = Int((end / step + 1e-9).rounded(.down))
    let step = step
    ticks = first <= last ? (first...last).map { Double($0) * step } : []
  }

  private static func step(atLeast least: Double) -> Double {
    let clock: [Double] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
      86_400,
    ]
    if least > 0.5, let step = clock.first(where: { $0 >= least }) { return step }
    var power = least > 0.5 ? 86_400 : 1e-6
    while true {
      for factor in [1.0, 2, 5] where power * factor >= least * 0.999_999 { return power * factor }
      power *= 10
    }
  }
}
