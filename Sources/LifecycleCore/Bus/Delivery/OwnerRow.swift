/// A closure with an owner that it does not keep alive.
///
/// Not generic over the owner: calls through a generic class look up its metadata every time.
///
/// `@unchecked Sendable`: `body` is part of the row's contents (see `ObserverRow`), the lock of the
/// bus guards `place`, and `owner` is a constant that any thread may read.
final class OwnerRow: ObserverRow, @unchecked Sendable {
  /// The row's place in the table of observers with owners, guarded by the lock of the bus; -1 for
  /// none.
  var place: Int32 = -1
  private weak let owner: AnyObject?
  private var body: ((AnyObject, LifecycleEvent) -> Void)?

  /// - Parameter body: Called with the owner as its first argument.
  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite,
    identity: ObserverIdentity?,
    owner: AnyObject,
    body: @escaping @Sendable (AnyObject, LifecycleEvent) -> Void
  ) {
    self.owner = owner
    self.body = body
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let owner else { return cancel() }
    guard let body else { return }
    // As in `ClosureRow`.
    self.body = nil
    body(owner, event)
    self.body = body
  }

  override var isListed: Bool { owner != nil }

  override var withOwner: OwnerRow? { self }

  /// Cancels the row if its owner is gone. Called where the bus delivers: the owner may be
  /// released here.
  func leaveIfOrphaned() {
    if owner == nil { cancel() }
  }

  override func clear() {
    _ = body.take()
  }
}

/// The live observers that have an owner.
///
/// An owner may have been released, so each registration checks two of the observers. Otherwise the
/// observers of released owners would accumulate while no event of their kinds comes.
///
/// A round of checks runs from the end to the front. Rows that are added meanwhile wait for the
/// next round. After some rounds there are at most three times as many rows as there were owners
/// alive at a time.
///
/// - Complexity: Adding, removing and checking are O(1) amortized.
struct OwnerTable {
  /// Two rows to check, outside the lock: the check itself may release an owner.
  struct Sample: Sendable {
    var first: OwnerRow?
    var second: OwnerRow?
  }

  private(set) var rows: ContiguousArray<OwnerRow> = []
  /// The number of rows, counted from the first, that the current round has yet to reach.
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

  /// Returns the rows whose turn it is.
  mutating func sample() -> Sample {
    rows.isEmpty ? Sample() : Sample(first: next(), second: next())
  }

  private mutating func next() -> OwnerRow {
    if remaining == 0 { remaining = rows.count }
    remaining -= 1
    return rows[remaining]
  }
}
