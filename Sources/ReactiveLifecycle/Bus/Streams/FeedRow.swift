/// A subscriber of a stream that a feature of the bus feeds, instead of the bus.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
package final class FeedRow<Output>: SubscriberRow<Output>, @unchecked Sendable {
  private var feed: (any StreamFeed<Output>)?

  init(
    _ feed: any StreamFeed<Output>,
    _ core: LifecycleBusCore,
    _ site: CallSite?,
    _ downstream: Downstream<Output>,
    latest: LatestValue<Output>?
  ) {
    self.feed = feed
    super.init(core, [], site, downstream, latest: latest)
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
  /// Creates a stream of a feature of the bus.
  package init(fedBy feed: any StreamFeed<Output>, on core: LifecycleBusCore) {
    self.init(fedBy: feed, on: core, isSame: nil)
  }

  private init(
    fedBy feed: any StreamFeed<Output>,
    on core: LifecycleBusCore,
    isSame: (@Sendable (Output, Output) -> Bool)?
  ) {
    self.init(
      core: core,
      stream: EventStream(kinds: [], isSame: isSame) { core, _, site, downstream in
        FeedRow(feed, core, site, downstream, latest: isSame.map { LatestValue($0) })
      }
    )
  }
}

extension LifecyclePublisher where Output: Sendable & Equatable {
  /// Creates a stream of a feature of the bus.
  ///
  /// - Parameter keepsLatestOnly: Whether only the last one counts of several values that a
  ///   subscriber has not requested yet, and not even that one if the subscriber received it last.
  package init(
    fedBy feed: any StreamFeed<Output>,
    on core: LifecycleBusCore,
    keepsLatestOnly: Bool
  ) {
    let isSame: @Sendable (Output, Output) -> Bool = { $0 == $1 }
    self.init(fedBy: feed, on: core, isSame: keepsLatestOnly ? isSame : nil)
  }
}
