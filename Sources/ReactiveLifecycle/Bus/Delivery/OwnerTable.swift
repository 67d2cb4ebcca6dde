/// The live observers that have an owner. It may be gone, so each registration looks at two of them:
/// those of dead owners don't pile up while no event of their kinds comes.
///
/// A round of looks goes from the end to the front, and what is added meanwhile waits for the next.
/// After some rounds there are at most three times as many rows as owners that lived at a time.
/// Adding, removing and looking are O(1) amortised.
struct OwnerTable {
  /// Two rows to look at, outside the lock: an owner may be released for having been looked at.
  struct Sample: Sendable {
    var first: OwnerRow?
    var second: OwnerRow?
  }

  private(set) var rows: ContiguousArray<OwnerRow> = []
  /// How many rows, the first ones, the round has not come to yet.
  private var remaining = 0

  mutating func append(_ row: OwnerRow) {
    row.place = Int32(rows.count)
    rows.append(row)
  }

  mutating func remove(_ row: OwnerRow) {
    guard row.place >= 0 else { return }
    let place = Int(row.place)
    row.place = -1
    let last = rows.removeLast()
    if last !== row {
      rows[place] = last
      last.place = Int32(place)
    }
    remaining = min(remaining, rows.count)
    if rows.capacity > 64, rows.capacity > rows.count * 4 { rows = ContiguousArray(Array(rows)) }
  }

  mutating func removeAll() {
    for row in rows { row.place = -1 }
    self = OwnerTable()
  }

  /// The rows whose turn it is.
  mutating func sample() -> Sample {
    rows.isEmpty ? Sample() : Sample(first: look(), second: look())
  }

  private mutating func look() -> OwnerRow {
    if remaining == 0 { remaining = rows.count }
    remaining -= 1
    return rows[remaining]
  }
}
