/// A subscriber of a stream that is fed by a feature of the bus, not by the bus.
package final class FeedRow<Output>: SubscriberRow<Output>, @unchecked Sendable {
  private var feed: (any StreamFeed<Output>)?

  init(
    _ feed: any StreamFeed<Output>,
    _ core: LifecycleBusCore,
    _ site: CallSite?,
    _ downstream: Downstream<Output>,
    keepsLatestOnly: Bool
  ) {
    self.feed = feed
    super.init(core, [], site, downstream, keepsLatestOnly: keepsLatestOnly)
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    feed?.join(self)
  }

  override func clear() {
    feed?.leave(self)
    feed = nil
    super.clear()
  }

  package func tell(_ value: Output) {
    if isLive { offer(value) }
  }
}

extension LifecyclePublisher where Output: Sendable {
  /// A stream of a feature of the bus.
  ///
  /// - Parameter keepsLatestOnly: Whether of several values that a subscriber has not asked for yet only
  ///   the last one counts.
  package init(
    fedBy feed: any StreamFeed<Output>,
    on core: LifecycleBusCore,
    keepsLatestOnly: Bool = false
  ) {
    self.init(
      core: core,
      stream: EventStream(kinds: []) { core, _, site, downstream in
        FeedRow(feed, core, site, downstream, keepsLatestOnly: keepsLatestOnly)
      }
    )
  }
}
