/// The observers in order of registration.
///
/// A removed row stays as a tombstone until half of the rows are dead, unless it is the last.
/// Neither registering nor removing changes a copy of `rows` that was taken for a delivery.
///
/// - Complexity: Registering and removing are O(1) amortized.
struct ObserverTable {
  private(set) var rows: ContiguousArray<ObserverRow> = []
  private var deadCount = 0

  mutating func append(_ row: ObserverRow) {
    row.isInTable = true
    rows.append(row)
  }

  /// Records that the row is no longer live.
  ///
  /// - Parameter isShared: Whether a copy of `rows` is in use, so that changing them would copy
  ///   them.
  /// - Returns: The rows that the caller has to release outside the lock.
  @inline(never)
  mutating func noteDead(_ row: ObserverRow, isShared: Bool) -> ContiguousArray<ObserverRow> {
    guard row.isInTable else { return [] }
    if !isShared, rows.last === row {
      row.isInTable = false
      rows.removeLast()
      return removeDeadEnd()
    }
    row.isNotedDead = true
    deadCount += 1
    guard deadCount > 32, deadCount * 2 > rows.count else { return [] }
    let old = rows
    rows = []
    rows.reserveCapacity(old.count - deadCount)
    for row in old {
      if row.isNotedDead { row.isInTable = false } else { rows.append(row) }
    }
    deadCount = 0
    return old
  }

  /// Removes the dead rows after the last live one.
  private mutating func removeDeadEnd() -> ContiguousArray<ObserverRow> {
    var removed: ContiguousArray<ObserverRow> = []
    while let last = rows.last, last.isNotedDead {
      last.isInTable = false
      deadCount -= 1
      removed.append(rows.removeLast())
    }
    return removed
  }

  mutating func removeAll() -> ContiguousArray<ObserverRow> {
    let old = rows
    for row in old { row.isInTable = false }
    rows = []
    deadCount = 0
    return old
  }
}
