import LifecycleSupport
import ReactiveLifecycle
import TestSupport

/// A source that reports what a test tells it to.
final class TestSource: LifecycleSource {
  let name: LifecycleSourceName
  private let trace: Trace
  private let started = Locked<LifecycleFeed?>(nil)

  init(_ name: LifecycleSourceName = "test", trace: Trace = Trace()) {
    self.name = name
    self.trace = trace
  }

  /// What `connect` gave to the source.
  var feed: LifecycleFeed { started.withLock { $0 }! }

  func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    started.withLock { $0 = feed }
    trace("\(name) started")
    return { [trace, name] in trace("\(name) stopped") }
  }
}
