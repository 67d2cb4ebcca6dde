extension LifecycleTimeline {
  /// The title with the counts, and the dates if they are known.
  var summaryLines: [String] {
    [([title] + facts).joined(separator: " · ")] + [dates].compactMap { $0 }
  }

  /// The time, and the numbers of runs, records and suppressed inputs.
  var facts: [String] {
    let (suppressed, killed) = (suppressedCount, killedCount)
    var facts = [
      TimeText.duration(duration / .seconds(1)), Self.count(runs.count, "run"),
      Self.count(records.count, "record"),
    ]
    if suppressed > 0 { facts.append(Self.count(suppressed, "suppressed input")) }
    if killed > 0 { facts.append("\(killed) killed") }
    return facts
  }

  /// The number of suppressed inputs.
  var suppressedCount: Int { records.lazy.filter { $0.style == .suppressed }.count }

  /// The number of runs that were killed; the last one may still be running.
  var killedCount: Int { runs.dropLast().lazy.filter { !$0.isEnded }.count }

  /// The forms that something is drawn in, in the order of a legend.
  var usedStyles: [Style] {
    var used: Set<Style> = []
    for lane in lanes {
      for span in lane.spans { used.insert(span.style) }
      for mark in lane.marks { used.insert(mark.style) }
    }
    return Style.allCases.filter(used.contains)
  }

  /// The dates of the start and of the end; nil if they are not known.
  var dates: String? {
    period.map { first, last in
      "\(first) – \(isOneDay ? String(last.dropFirst(11)) : last) UTC"
    }
  }

  /// Returns a reading of the wall clock for a tick, with the date if neither the heading nor the
  /// last tick has it.
  func tickText(_ wall: String, after last: String) -> String {
    let hasDate = isOneDay || wall.prefix(10) == last.prefix(10)
    return String(wall.dropFirst(hasDate ? 11 : 5))
  }

  /// A Boolean value that indicates whether the heading has the only date there is.
  private var isOneDay: Bool {
    period.map { $0.first.prefix(10) == $0.last.prefix(10) } ?? true
  }

  private var period: (first: String, last: String)? {
    guard
      let start = wallClock.reading(at: 0),
      let end = wallClock.reading(at: duration / .seconds(1))
    else { return nil }
    return (TimeText.wall(start), TimeText.wall(end))
  }

  /// Returns a number with its noun: `1 run`, `25,000 records`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns a number with commas: `25,000`.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }
}
