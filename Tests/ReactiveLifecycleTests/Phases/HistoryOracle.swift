import ReactiveLifecycle

/// A history in whole seconds: a list that is searched from the front, and durations that are counted
/// second by second.
struct HistoryOracle {
  private(set) var changes: [(second: Int, phase: LifecyclePhase)] = []
  private var seconds: [Int] = []
  private let limit = 128

  mutating func note(_ phase: LifecyclePhase, at second: Int) {
    changes.append((max(second, changes.last?.second ?? second), phase))
    if seconds.last != changes.last?.second { seconds.append(changes[changes.count - 1].second) }
  }

  /// The first of the seconds that are remembered.
  var start: Int? { seconds.suffix(limit).first }

  /// Whatever the time is now.
  private func phase(at second: Int) -> LifecyclePhase? {
    var phase: LifecyclePhase?
    for change in changes where change.second <= second { phase = change.phase }
    return phase
  }

  func phase(at second: Int, now: Int) -> LifecyclePhase? {
    guard let start, start <= second, second <= now else { return nil }
    return phase(at: second)
  }

  func duration(
    during range: Range<Int>,
    now: Int,
    where isCounted: (LifecyclePhase) -> Bool
  ) -> Int? {
    guard let start, start <= range.lowerBound else { return nil }
    return range.count { second in second < now && phase(at: second).map(isCounted) == true }
  }
}

extension HistoryOracle {
  func foreground(_ range: Range<Int>, now: Int) -> Int? {
    duration(during: range, now: now) { $0 == .inactive || $0 == .active }
  }

  func background(_ range: Range<Int>, now: Int) -> Int? {
    duration(during: range, now: now) { $0 == .background }
  }
}
