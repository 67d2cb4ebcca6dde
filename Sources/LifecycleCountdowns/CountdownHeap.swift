import HeapModule

/// Countdowns, ordered by the moment at which they are due, and within a moment by their start.
///
/// An entry whose countdown has changed since stays until it reaches the top, or until half of the
/// entries may be like it.
///
/// - Complexity: Inserting and removing are O(log *n*).
struct CountdownHeap {
  /// No moment: the countdown has no entry.
  static let none = Int64.max
  /// A moment that is never reached: the countdown has an entry, which is not due.
  static let never = Int64.max - 1

  private struct Entry: Comparable {
    let moment: Int64
    let order: Int64
    let countdown: CountdownCore

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.moment, lhs.order) < (rhs.moment, rhs.order)
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
      (lhs.moment, lhs.order) == (rhs.moment, rhs.order)
    }
  }

  /// Returns the moment at which a countdown is due.
  ///
  /// An entry is valid only if it has the same moment.
  private let moment: @Sendable (CountdownCore) -> Int64
  private var heap = Heap<Entry>()
  private var limit = 64

  init(moment: @escaping @Sendable (CountdownCore) -> Int64) {
    self.moment = moment
  }

  mutating func insert(_ countdown: CountdownCore) {
    if heap.count >= limit { compact() }
    let moment = moment(countdown)
    heap.insert(Entry(moment: moment, order: countdown.order, countdown: countdown))
  }

  /// The earliest moment at which a countdown is due.
  var earliest: Int64? {
    mutating get {
      dropStale()
      return heap.min.flatMap { $0.moment == Self.never ? nil : $0.moment }
    }
  }

  /// Removes invalid entries from the top; all entries if none is valid.
  mutating func dropStale() {
    while let entry = heap.min, !counts(entry) { heap.removeMin() }
  }

  /// The number of entries, invalid ones included.
  var count: Int { heap.count }

  /// Removes and returns the next countdown that is due.
  mutating func popDue(at now: Int64) -> CountdownCore? {
    guard let earliest, earliest <= now else { return nil }
    return heap.removeMin().countdown
  }

  /// The countdowns that have a valid entry, in no order.
  var countdowns: [CountdownCore] {
    entries.map(\.countdown)
  }

  mutating func removeAll() {
    heap = Heap()
    limit = 64
  }

  private mutating func compact() {
    heap = Heap(entries)
    limit = max(64, 2 * heap.count)
  }

  /// The valid entries, one for each countdown.
  private var entries: [Entry] {
    let entries = heap.unordered.filter { entry in
      guard counts(entry), !entry.countdown.isMarked else { return false }
      entry.countdown.isMarked = true
      return true
    }
    for entry in entries { entry.countdown.isMarked = false }
    return entries
  }

  private func counts(_ entry: Entry) -> Bool {
    entry.order == entry.countdown.order && entry.moment == moment(entry.countdown)
  }
}
