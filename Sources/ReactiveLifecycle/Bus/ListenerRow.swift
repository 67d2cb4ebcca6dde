/// What an operator, or another bus, hears of a bus: where the bus delivers, in the observer's turn,
/// one call at a time.
protocol BusListener: AnyObject, Sendable {
  /// The state of the bus when the listener joins; the first call.
  func join(at delivered: DeliveredState)
  func hear(_ event: LifecycleEvent)
  /// The bus has ended; the last call.
  func busDidEnd()
}

/// The place of an operator, or of another bus, among the observers. It keeps its listener alive
/// until it is cancelled or the bus ends.
final class ListenerRow: ObserverRow, @unchecked Sendable {
  private var listener: (any BusListener)?
  /// Weak: a row that is no longer live may stay in the table for a while.
  private weak let downstreamBus: BusCore?

  /// - Parameter downstreamBus: The bus that the listener feeds.
  init(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite?,
    listener: any BusListener,
    downstreamBus: BusCore? = nil
  ) {
    self.listener = listener
    self.downstreamBus = downstreamBus
    super.init(core: core, kinds: kinds, site: site)
  }

  override var runningLocation: LifecycleObserverLocation {
    downstreamBus?.runningObserver ?? location
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    listener?.join(at: delivered)
  }

  override func receive(_ event: LifecycleEvent) {
    listener?.hear(event)
  }

  override func finish() {
    guard isLive else { return }
    let listener = listener
    cancel()
    listener?.busDidEnd()
  }

  override func clear() { _ = listener.take() }
}
