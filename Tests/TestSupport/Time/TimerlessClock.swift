public import ReactiveLifecycle

/// The time of another clock with timers that never fire, as in a process that is stopped. It has no more
/// than a clock must have.
public struct TimerlessClock: LifecycleClock {
  private let clock: any LifecycleClock

  public init(_ clock: any LifecycleClock) { self.clock = clock }

  public var now: LifecycleInstant { clock.now }

  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    LifecycleCancellable {}
  }
}
