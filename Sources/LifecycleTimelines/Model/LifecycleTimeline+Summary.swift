extension LifecycleTimeline {
  /// The title with the counts, and the dates if they are known.
  var summaryLines: [String] {
    [([title] + facts).joined(separator: " · ")] + [dates].compactMap { $0 }
  }

  /// The time, and the numbers of runs, records and suppressed inputs.
  var facts: [String] {
    let suppressed = records.lazy.filter { $0.style == .suppressed }.count
    let killed = runs.dropLast().lazy.filter { !$0.isEnded }.count
    var facts = [
      TimeText.duration(duration / .seconds(1)), Self.count(runs.count, "run"),
      Self.count(records.count, "record"),
    ]
    if suppressed > 0 { facts.append(Self.count(suppressed, "suppressed input")) }
    if killed > 0 { facts.append("\(killed) killed") }
    return facts
  }

  /// The dates of the start and of the end; nil if they are not known.
  var dates: String? {
    guard
      let start = wallClock.reading(at: 0),
      let end = wallClock.reading(at: duration / .seconds(1))
    else { return nil }
    let (first, last) = (TimeText.wall(start), TimeText.wall(end))
    let sameDay = first.prefix(10) == last.prefix(10)
    return "\(first) – \(sameDay ? String(last.dropFirst(11)) : last) UTC"
  }

  /// A Boolean value that indicates whether the heading has the only date there is.
  var isOneDay: Bool {
    guard
      let start = wallClock.reading(at: 0),
      let end = wallClock.reading(at: duration / .seconds(1))
    else { return true }
    return TimeText.wall(start).prefix(10) == TimeText.wall(end).prefix(10)
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
