import LifecycleCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Places on the axis, and dates, written for people.
package enum TimeText {
  /// Returns the time since the start for a list: `+90.250`, in seconds.
  package static func elapsed(_ time: Duration) -> String {
    let time = max(min(time, TimeAxis.longest), .zero - TimeAxis.longest)
    let milliseconds = Int((time / .milliseconds(1)).rounded())
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
    let digits = String(rest)
    let zeros = String(repeating: "0", count: 3 - digits.count)
    return "\(milliseconds < 0 ? "-" : "+")\(whole).\(zeros)\(digits)"
  }

  /// Returns the time on the axis: `+12.345 s`, `+00:01:30.250`, `+2 d 09:26:25.738`.
  static func position(_ time: Duration) -> String {
    let elapsed = elapsed(time)
    let thousandths = Int((max(time, .zero) / .milliseconds(1)).rounded())
    if thousandths < 60_000 { return elapsed + " s" }
    let whole = thousandths / 1_000
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let days = whole >= 86_400 ? "\(whole / 86_400) d " : ""
    let clock = [whole / 3_600 % 24, whole / 60 % 60, whole % 60].map(two).joined(separator: ":")
    return "+\(days)\(clock)\(elapsed.suffix(4))"
  }

  /// Returns the date and the time of day in UTC: `2026-01-15 09:26:40`.
  ///
  /// - Parameter time: The time since 1970-01-01 00:00 UTC.
  package static func wall(_ time: Duration) -> String {
    let date = Date(timeIntervalSince1970: Double(time.wholeParts(perSecond: 1)))
    let text = date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    return text.hasSuffix("Z") ? String(text.dropLast()) : text
  }
}

extension Duration {
  /// The number of whole parts of a second, rounded down. It is exact: a quotient of durations may
  /// be just below a whole number, which is another second on a clock.
  func wholeParts(perSecond parts: Int64) -> Int64 {
    let (seconds, rest) = components
    let part = 1_000_000_000_000_000_000 / parts
    return seconds * parts + (rest < 0 ? rest - part + 1 : rest) / part
  }
}

/// The readings of the wall clock over time.
package struct WallClock {
  /// A time on the axis, and the distance of the wall clock from the axis from there on; nil if the
  /// date is not known.
  struct Step {
    var time: Duration
    var offset: Duration?
  }

  /// The times since 1970 that can be a date: from 1971 to 9999.
  private static let dates = Duration.seconds(31_536_000)..<Duration.seconds(253_402_300_800)

  private(set) var steps: [Step] = []

  /// Appends a reading. One that continues the last step by a tenth of a second changes nothing.
  mutating func append(_ instant: LifecycleInstant, at time: Duration) {
    let reading = instant.timeSince1970
    let offset = Self.dates.contains(reading) ? reading - time : nil
    if let last = steps.last {
      if last.time > time { return }
      switch (last.offset, offset) {
      case (nil, nil): return
      case (let old?, let new?) where max(old - new, new - old) < .milliseconds(100): return
      default: break
      }
    }
    steps.append(Step(time: time, offset: offset))
  }

  /// Returns the reading at a time on the axis, since 1970.
  package func reading(at time: Duration) -> Duration? {
    let next = steps.indices.searchFirst { steps[$0].time > time }
    let step = next > 0 ? steps[next - 1] : steps.first
    return step?.offset.map { $0 + time }
  }
}

/// The ticks of a time axis.
package struct TimeAxis {
  /// The longest time that is drawn: some 30,000 years.
  static let longest = Duration.seconds(1_000_000_000_000)

  /// The distance of the ticks, in seconds.
  let step: Double
  /// The times of the ticks.
  package let ticks: [Duration]

  /// Creates the ticks of a span of time that begins at zero.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - count: The greatest number of distances that there is room for.
  package init(to end: Duration, count: Int) {
    let end = end / .seconds(1)
    let least = end / Double(max(count, 1)) * 999_999
    let step = (Self.steps.first { $0 >= least } ?? Self.steps.last ?? 1) / 1e6
    self.step = step
    ticks = (0...Int((end / step + 1e-9).rounded(.down))).map { .seconds(Double($0) * step) }
  }

  /// The distances that ticks can have, in microseconds: 1, 2 and 5 in powers of ten up to seconds,
  /// then those of a clock and a calendar.
  static let steps: [Double] = {
    func powers(_ unit: Double, _ count: Int) -> [Double] {
      sequence(first: unit) { $0 * 10 }.prefix(count).flatMap { [$0, 2 * $0, 5 * $0] }
    }
    let clock: [Double] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    ]
    return powers(1, 6) + clock.map { $0 * 1e6 } + powers(86_400e6, 8)
  }()

  /// The units of the texts of ticks, in microseconds.
  static let units: [(name: String, length: Double)] = [
    ("d", 86_400e6), ("h", 3_600e6), ("min", 60e6), ("s", 1e6), ("ms", 1e3), ("µs", 1),
  ]

  /// Returns the text of a tick: `0`, `2.5 ms`, `1 min 30 s`.
  ///
  /// - Parameter seconds: A multiple of the distance of the ticks.
  static func text(of seconds: Double) -> String {
    var rest = (seconds * 1e6).rounded()
    var parts: [String] = []
    for (name, length) in units where rest >= length {
      let count = length > 1e6 ? (rest / length).rounded(.down) : rest / length
      let text = "\(count)"
      parts.append("\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) \(name)")
      rest -= count * length
    }
    return parts.isEmpty ? "0" : parts.joined(separator: " ")
  }
}
