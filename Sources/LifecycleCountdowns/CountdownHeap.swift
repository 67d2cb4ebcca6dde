import HeapModule

/// Countdowns by the moment at which they are due, those of the same moment in the order of their
/// start. Inserting and taking out are O(log n).
///
/// An entry whose countdown has moved on stays until it comes to the top, or until half of the entries
/// may be like it.
struct CountdownHeap {
  /// No moment: there is no entry.
  static let none = Int64.max
  /// A moment that does not come: there is an entry, which is not due.
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

  /// When a countdown is due; what an entry must agree with to count.
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

  /// The earliest moment at which one is due.
  var earliest: Int64? {
    mutating get {
      dropStale()
      return heap.min.flatMap { $0.moment == Self.never ? nil : $0.moment }
    }
  }

  /// Drops the entries at the top that do not count; all of them if none does.
  mutating func dropStale() {
    while let entry = heap.min, !counts(entry) { heap.removeMin() }
  }

  /// How many entries there are, those that do not count included.
  var count: Int { heap.count }

  /// Takes out the next that is due.
  mutating func popDue(at now: Int64) -> CountdownCore? {
    guard let earliest, earliest <= now else { return nil }
    return heap.removeMin().countdown
  }

  /// Every countdown that has an entry, in no order.
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

  /// The entries that count, one for each countdown.
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
