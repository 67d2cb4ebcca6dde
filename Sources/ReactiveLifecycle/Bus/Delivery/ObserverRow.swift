import Synchronization

/// One registered observer: a row of the observer table.
///
/// The contents of a subclass (closure, owner, subscriber) are touched only by the thread that has
/// the right to deliver, from the row's registration until `clear()`. `clear()` runs when the row
/// is no longer live, either on that thread or, where the bus delivers, when no thread can be
/// calling the row.
///
/// `@unchecked Sendable`: that right is handed from thread to thread under the lock of the bus
/// (`DispatchMachine.isDelivering`); `live` is atomic; the lock of the bus guards `table`,
/// `isInTable` and `isNotedDead`; `membership` is set when the scope adds the row, before any other
/// code knows the row, and is read-only afterwards.
package class ObserverRow: ScopeEntry, @unchecked Sendable {
  package enum Table {
    case events, suppressions
    /// The table of `events`. Observations are notified when the row leaves it.
    case observedEvents
  }

  let kinds: LifecycleEvent.Kinds
  let core: LifecycleBusCore
  let registered: ContinuousInstant
  /// A static text that ends with a zero: 8 bytes, whereas a `StaticString?` takes 18.
  private let fileID: UnsafePointer<UInt8>?
  private let line: UInt32
  /// The identity by which the row can be replaced.
  let identity: ObserverIdentity?
  final var membership: ScopeMembership?
  final var table: Table
  final var isInTable = false
  /// A Boolean value that indicates whether the table knows that the row is no longer live.
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
      fileID: fileID.map(String.init(cString:)),
      line: fileID == nil ? nil : UInt(line)
    )
  }

  package final func cancel() {
    core.cancel(self)
  }

  final override func scopeDidEnd() { cancel() }

  final override var hasEnded: Bool { !isLive }

  /// A Boolean value that indicates whether the row is among the live subscriptions: not
  /// once its owner is gone. Thread-safe.
  var isListed: Bool { true }

  /// The row, if it has an owner.
  var withOwner: OwnerRow? { nil }

  /// A Boolean value that indicates whether the observer captures a value on the way to the
  /// background.
  var captures: Bool { false }

  /// Captures the value, before any observer receives `didEnterBackground`.
  func captureValue() {}

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
