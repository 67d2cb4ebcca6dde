import DequeModule

/// Which phases there were, and from when on. It knows no clock: whoever asks says what time it is.
///
/// It remembers 128 changes of phase: thirty-two visits to the application whose four steps all happen
/// at instants of their own. That is one block of 3 KB, 24 bytes for each, made at the first change and
/// kept from then on, so that noting a change takes no memory and O(1) time.
struct PhaseHistory {
  /// A phase, which lasts until the next one begins.
  struct Entry: Sendable {
    let start: ContinuousInstant
    var phase: LifecyclePhase
  }

  /// What is added up.
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

  /// The starts grow strictly.
  private var entries: Deque<Entry> = []

  /// From when on there are answers; nil before the first change.
  var start: ContinuousInstant? { entries.first?.start }

  /// Takes note of a phase that begins. An instant before that of the last change counts as the same
  /// one; of several phases at one instant the last one counts.
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

  /// The phase at an instant that is not in the future. O(log n).
  func phase(at instant: ContinuousInstant, now: ContinuousInstant) -> LifecyclePhase? {
    guard instant <= now else { return nil }
    let index = firstIndex(after: instant)
    return index > 0 ? entries[index - 1].phase : nil
  }

  /// How much of the range belongs to the part; what is in the future belongs to none. O(n).
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

  /// The index of the first entry that begins after the instant.
  private func firstIndex(after instant: ContinuousInstant) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
