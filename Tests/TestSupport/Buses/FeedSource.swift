import LifecycleSupport
public import ReactiveLifecycle

/// A source whose feed a test uses.
public final class FeedSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let started = Locked<LifecycleFeed?>(nil)

  public init(_ name: LifecycleSourceName) {
    self.name = name
  }

  /// The feed that `connect` gave to the source.
  public var feed: LifecycleFeed { started.withLock { $0! } }

  public func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    started.withLock { $0 = feed }
    return {}
  }
}
