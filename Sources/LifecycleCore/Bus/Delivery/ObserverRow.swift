import LifecycleSupport

/// One registered observer: a row of the observer table.
///
/// The contents of a subclass (closure, owner, subscriber) are touched only by the thread that has
/// the right to deliver, from the row's registration until `clear()`. `clear()` runs when the row
/// is no longer live, either on that thread or, where the bus delivers, when no thread can be
/// calling the row.
///
/// `@unchecked Sendable`: that right is handed from thread to thread under the lock of the bus
/// (`DispatchMachine.isDelivering`); `live` is atomic; the lock of the bus guards `isInTable` and
/// `isNotedDead`; `membership` is set when the scope adds the row, before any other code knows the
/// row, and is read-only afterwards.
package class ObserverRow: ScopeEntry, @unchecked Sendable {
  package enum Table { case events, suppressions }

  /// The events of a row that it prepares for, before any observer receives them.
  package enum Preparation { case none, wayDown, wayDownAndReturn }

  let kinds: LifecycleEvent.Kinds
  let core: LifecycleBusCore
  let registered: ContinuousInstant
  private let fileID: StaticText?
  private let line: UInt32
  /// The identity by which the row can be replaced.
  let identity: ObserverIdentity?
  final var membership: ScopeMembership?
  final let table: Table
  final let preparation: Preparation
  final var isInTable = false
  /// A Boolean value that indicates whether the table knows that the row is no longer live.
  final var isNotedDead = false

  private let live = Atomic(true)

  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite?,
    identity: ObserverIdentity? = nil,
    table: Table = .events,
    preparation: Preparation = .none
  ) {
    self.core = core
    self.table = table
    self.preparation = preparation
    self.kinds = kinds
    self.identity = identity
    registered = core.clock.continuous
    fileID = site.flatMap { StaticText($0.fileID) }
    line = UInt32(clamping: site?.line ?? 0)
  }

  /// Returns a row that is not registered: for calls in which it is named as the running observer.
  package static func unregistered(on core: LifecycleBusCore, _ site: CallSite) -> ObserverRow {
    ObserverRow(core: core, kinds: [], site: site)
  }

  package final var isLive: Bool { live.load(ordering: .acquiring) }

  /// Makes the row silent; returns true only for the call that did so.
  final func endLife() -> Bool {
    live.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The location of the observer that is running while this row is called: this one, or an
  /// observer of the bus that this row feeds.
  var runningLocation: LifecycleObserverLocation { location }

  /// The location where the observer was registered. Thread-safe.
  package final var location: LifecycleObserverLocation {
    LifecycleObserverLocation(
      scope: membership?.scope.name,
      fileID: fileID?.text,
      line: fileID == nil ? nil : UInt(line)
    )
  }

  package final func cancel() {
    core.cancel(self)
  }

  final override func end() { cancel() }

  final override var hasEnded: Bool { !isLive }

  final override var observedBus: LifecycleBusCore? { core }

  /// A Boolean value that indicates whether the row is among the live subscriptions: not
  /// once its owner is gone. Thread-safe.
  var isListed: Bool { true }

  /// The row, if it has an owner.
  var withOwner: OwnerRow? { nil }

  /// Prepares for an event, before any observer receives it. Called in order of registration if the
  /// row prepares for such events; for a return, before it counts as delivered.
  func prepare(for event: LifecycleEvent) {}

  /// Delivers an event to the observer.
  func receive(_ event: LifecycleEvent) {}

  func receive(_ input: SuppressedInput) {}

  /// A Boolean value that indicates whether a new observer receives a value at once.
  var startsWithValue: Bool { false }

  /// Delivers the past events to a new observer.
  func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    for event in catchUp.events(after: delivered) where kinds.contains(event.kind) && isLive {
      receive(event)
    }
  }

  /// Delivers the values that were waiting for demand.
  func flush() {}

  /// Ends the observer because its stream has ended.
  package func finish() {
    core.cancel(self)
  }

  /// Releases the observer's captures.
  func clear() {}
}

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

/// The identity that makes a new observer replace an earlier one: an `id:` within a scope or an
/// owner.
///
/// The user's `id` is hashed when the identity is created and compared outside the lock of the bus.
/// Under the lock only `Key` is used, which runs no user code.
final class ObserverIdentity: Sendable {
  struct Key: Hashable, Sendable {
    let holder: ObjectIdentifier
    let hash: Int
  }

  let key: Key
  private let id: any Hashable & Sendable

  init(_ id: any Hashable & Sendable, holder: AnyObject) {
    self.id = id
    key = Key(holder: ObjectIdentifier(holder), hash: AnyHashable(id).hashValue)
  }

  /// Returns whether both have equal identifiers; runs the user's `==`.
  func isSame(as other: ObserverIdentity) -> Bool {
    AnyHashable(id) == AnyHashable(other.id)
  }
}

/// The live observers that can be replaced, by the hashes of their identifiers.
struct IdentityTable {
  private var rows: [ObserverIdentity.Key: [ObserverRow]] = [:]

  /// The observers whose identifier may be equal to the key's.
  func candidates(for key: ObserverIdentity.Key) -> [ObserverRow] {
    rows[key, default: []]
  }

  mutating func insert(_ row: ObserverRow) {
    guard let key = row.identity?.key else { return }
    rows[key, default: []].append(row)
  }

  mutating func remove(_ row: ObserverRow) {
    guard let key = row.identity?.key else { return }
    rows[key]?.removeAll { $0 === row }
    if rows[key]?.isEmpty == true { rows[key] = nil }
  }
}
