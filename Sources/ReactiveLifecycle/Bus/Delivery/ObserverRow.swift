import Synchronization

/// One registered observer: a row of the observer table.
///
/// What a subclass holds (closure, owner, subscriber) is touched only by the thread that has the
/// right to deliver, from the row's registration until `clear()`; `clear()` runs when the row is
/// no longer live, either by that thread or, where the bus delivers, when nobody can be calling it.
///
/// `@unchecked Sendable`: that right is handed from thread to thread under the lock of the bus
/// (`DispatchMachine.isDelivering`); `live` is atomic; `isInTable` and `isNotedDead` are guarded by
/// the lock of the bus; `membership` is set when the scope takes the row in, before anybody else
/// knows the row, and read-only afterwards.
package class ObserverRow: ScopeEntry, @unchecked Sendable {
  package enum Table { case events, suppressions }

  let kinds: LifecycleEvent.Kinds
  let core: LifecycleBusCore
  let registered: ContinuousInstant
  /// A static text that ends with a zero: 8 bytes, where a `StaticString?` takes 18.
  private let fileID: UnsafePointer<UInt8>?
  private let line: UInt32
  /// What makes the row replaceable.
  let identity: ObserverIdentity?
  final var membership: ScopeMembership?
  let table: Table
  final var isInTable = false
  /// Whether the table knows that the row is no longer live.
  final var isNotedDead = false

  private let live = Atomic(true)

  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite?,
    identity: ObserverIdentity? = nil,
    table: Table = .events
  ) {
    self.core = core
    self.table = table
    self.kinds = kinds
    self.identity = identity
    registered = core.clock.continuous
    fileID = site.flatMap { $0.fileID.hasPointerRepresentation ? $0.fileID.utf8Start : nil }
    line = UInt32(clamping: site?.line ?? 0)
  }

  /// A row that is not registered: for turns of its own, in which it is named as the one that runs.
  package static func unregistered(on core: LifecycleBusCore, _ site: CallSite) -> ObserverRow {
    ObserverRow(core: core, kinds: [], site: site)
  }

  package final var isLive: Bool { live.load(ordering: .acquiring) }

  /// Makes the row silent; true for the one call that did.
  final func endLife() -> Bool {
    live.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The observer that is held up when this one is: the observer of a bus that this one feeds.
  var runningLocation: LifecycleObserverLocation { location }

  /// Where the observer was registered. Any thread.
  package final var location: LifecycleObserverLocation {
    LifecycleObserverLocation(
      scope: membership?.scope.name,
      fileID: fileID.map(String.init(cString:)),
      line: fileID == nil ? nil : UInt(line)
    )
  }

  package final func cancel() {
    core.cancel(self)
  }

  final override func scopeDidEnd() { cancel() }

  /// Whether it is among the live subscriptions: not once its owner is gone. Any thread.
  var isListed: Bool { true }

  /// The row, if it has an owner.
  var withOwner: OwnerRow? { nil }

  /// Tells the observer what happened.
  func receive(_ event: LifecycleEvent) {}

  func receive(_ input: SuppressedInput) {}

  /// Whether a new observer gets a value at once.
  var startsWithValue: Bool { false }

  /// Tells a new observer about the past.
  func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    for event in catchUp.events(after: delivered) where kinds.contains(event.kind) && isLive {
      receive(event)
    }
  }

  /// Hands out what was waiting for demand.
  func flush() {}

  /// The stream has ended.
  package func finish() {
    core.cancel(self)
  }

  /// Releases what the observer captured.
  func clear() {}
}
