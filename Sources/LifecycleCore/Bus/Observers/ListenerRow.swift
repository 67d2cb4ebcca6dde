/// A receiver of a bus's events: an operator, another bus, or a feature in a separate module.
///
/// It is called where the bus delivers, in the observer's turn, one call at a time. A `ListenerRow`
/// is its place on the bus. Either the row keeps its listener alive, or the listener keeps the row
/// alive.
package protocol BusListener: AnyObject, Sendable {
  /// Notifies the listener of the state of the bus when it joins; the first call.
  func join(at delivered: DeliveredState)
  /// Prepares for an event, before any observer receives it, if the row prepares for such events.
  func prepare(for event: LifecycleEvent)
  func receive(_ event: LifecycleEvent)
  /// Receives a suppressed input, in a row of the table of suppressed inputs.
  func receive(_ input: SuppressedInput)
  /// Notifies the listener that the bus has ended; the last call.
  func busDidEnd()
}

extension BusListener {
  package func prepare(for event: LifecycleEvent) {}
  package func receive(_ input: SuppressedInput) {}
}

/// The place of a listener among the observers.
///
/// `@unchecked Sendable`: `owner` and `locateRunning` are set before any other code knows the row;
/// the rest is as in `ObserverRow`.
package final class ListenerRow: ObserverRow, @unchecked Sendable {
  private var listener: (any BusListener)?
  private weak var owner: (any BusListener)?
  private let isSubscription: Bool
  private let joins: Bool
  private var locateRunning: (@Sendable () -> LifecycleObserverLocation?)?

  /// Creates a row that keeps its listener alive until it is cancelled or the bus ends.
  ///
  /// - Parameter locateRunning: Returns the location of the observer that is running while the
  ///   listener is, if it is another one; nil if there is none. Called on any thread.
  package init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite?,
    listener: any BusListener,
    locateRunning: (@Sendable () -> LifecycleObserverLocation?)? = nil
  ) {
    self.listener = listener
    self.locateRunning = locateRunning
    isSubscription = true
    joins = true
    super.init(core: core, kinds: kinds, site: site)
  }

  /// Creates a row that its listener owns, and that is not among the live subscriptions.
  ///
  /// - Parameters:
  ///   - joins: Whether the listener is notified that it joins, which delivers what waits.
  ///   - table: The table of events, or that of suppressed inputs.
  ///   - preparation: The events that the listener prepares for.
  package init(
    ownedOn core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite?,
    joins: Bool = true,
    table: Table = .events,
    preparation: Preparation = .none
  ) {
    isSubscription = false
    self.joins = joins
    super.init(core: core, kinds: kinds, site: site, table: table, preparation: preparation)
  }

  /// Sets the owner, before any other code knows the row.
  ///
  /// - Parameter locateRunning: Returns the location of the observer that is running while the
  ///   owner is, if it is another one. Called on any thread.
  package func setOwner(
    _ owner: any BusListener,
    locateRunning: (@Sendable () -> LifecycleObserverLocation?)? = nil
  ) {
    self.owner = owner
    self.locateRunning = locateRunning
  }

  override var isListed: Bool { isSubscription }

  override var startsWithValue: Bool { joins }

  override var runningLocation: LifecycleObserverLocation {
    locateRunning?() ?? location
  }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    current?.join(at: delivered)
  }

  override func prepare(for event: LifecycleEvent) {
    current?.prepare(for: event)
  }

  override func receive(_ event: LifecycleEvent) {
    current?.receive(event)
  }

  override func receive(_ input: SuppressedInput) {
    current?.receive(input)
  }

  package override func finish() {
    guard isLive else { return }
    let listener = current
    cancel()
    listener?.busDidEnd()
  }

  override func clear() { _ = listener.take() }

  private var current: (any BusListener)? { listener ?? owner }
}
