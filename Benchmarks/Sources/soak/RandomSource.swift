import ReactiveLifecycle
import Synchronization

/// A source that reports what a thread lets it report.
final class RandomSource: LifecycleSource {
  let name: LifecycleSourceName
  private let feed = Mutex<LifecycleFeed?>(nil)

  init(_ name: String) { self.name = LifecycleSourceName(rawValue: name) }

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    feed.withLock { $0 = input }
    return { [weak self] in self?.feed.withLock { $0 = nil } }
  }

  func report(_ kind: LifecycleEvent.Kind) {
    feed.withLock { $0 }?.send(kind)
  }
}
