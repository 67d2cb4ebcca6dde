import LifecycleSupport
import ReactiveLifecycle

/// A source whose feed a test uses.
final class FeedSource: LifecycleSource {
  let name: LifecycleSourceName
  private let started = Locked<LifecycleFeed?>(nil)

  init(_ name: LifecycleSourceName) {
    self.name = name
  }

  var feed: LifecycleFeed { started.withLock { $0! } }

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    started.withLock { $0 = input }
    return {}
  }
}
