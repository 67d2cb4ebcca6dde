import DequeModule

/// The past phases of a process, with the instant at which each began.
///
/// The history reads no clock: callers pass the current time. It remembers 128 changes of phase:
/// thirty-two visits to the application whose four steps all happen at different instants. Their
/// storage is allocated at the first change and kept from then on, so that recording a change takes
/// O(1) time.
struct PhaseHistory {
  /// A phase, which lasts until the next one begins.
  struct Entry: Sendable {
    let start: ContinuousInstant
    var phase: LifecyclePhase
  }

  /// The phases whose durations are added up.
  enum Part {
    case foreground, background

    func contains(_ phase: LifecyclePhase) -> Bool {
      switch self {
      case .foreground: phase.isForeground
      case .background: phase == .background
      }
    }
  }

  static let capacity = 128

  /// The phases, in strictly increasing order of their starts.
  private var entries: Deque<Entry> = []

  /// The start of the history; nil before the first change.
  var start: ContinuousInstant? { entries.first?.start }

  /// Records the beginning of a phase.
  ///
  /// An instant before that of the last change counts as the same instant. Of several phases at one
  /// instant, the last one counts.
  mutating func note(_ phase: LifecyclePhase, at instant: ContinuousInstant) {
    guard let last = entries.last else {
      entries.reserveCapacity(Self.capacity)
      entries.append(Entry(start: instant, phase: phase))
      return
    }
    guard instant > last.start else {
      entries[entries.endIndex - 1].phase = phase
      return
    }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append(Entry(start: instant, phase: phase))
  }

  /// Returns the phase at an instant; nil if that is in the future or before the history.
  ///
  /// - Complexity: O(log *n*) in the number of remembered changes.
  func phase(at instant: ContinuousInstant, now: ContinuousInstant) -> LifecyclePhase? {
    guard instant <= now else { return nil }
    let index = firstIndex(after: instant)
    return index > 0 ? entries[index - 1].phase : nil
  }

  /// Returns the time in a range that the process spent in a part; nil if the range begins before
  /// the history.
  ///
  /// The future belongs to no part.
  ///
  /// - Complexity: O(*n*) in the number of remembered changes.
  func duration(
    of part: Part,
    during range: Range<ContinuousInstant>,
    now: ContinuousInstant
  ) -> Duration? {
    guard let start, range.lowerBound >= start else { return nil }
    let end = min(range.upperBound, now)
    var sum = Duration.zero
    var index = firstIndex(after: range.lowerBound) - 1
    var begin = range.lowerBound
    while begin < end {
      let next = index + 1 < entries.count ? min(entries[index + 1].start, end) : end
      if part.contains(entries[index].phase) { sum += next - begin }
      begin = next
      index += 1
    }
    return sum
  }

  /// Returns the index of the first entry that begins after the instant.
  private func firstIndex(after instant: ContinuousInstant) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
