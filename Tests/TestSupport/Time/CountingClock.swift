public import LifecycleTesting
public import ReactiveLifecycle

/// A clock that counts how often it is read.
public final class CountingClock: LifecycleClock {
  public let manual = ManualClock()
  public let reads = Counter()

  public init() {}

  public var now: LifecycleInstant {
    reads.add()
    return manual.now
  }

  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    manual.schedule(at: deadline, body)
  }
}
