import ReactiveLifecycle

/// Three clocks that stand still until a test moves them.
///
/// ```swift
/// let clock = ManualClock()
/// let bus = LifecycleBus(clock: clock)
/// bus.send(.didEnterBackground)
/// clock.advance(by: .seconds(30))
/// clock.sleepDevice(for: .seconds(60))
/// bus.send(.didBecomeActive)  // a stay of 90 s, 60 s of them asleep
/// ```
public final class ManualClock: LifecycleClock {
  private let instant: Locked<LifecycleInstant>

  /// Clocks that show the given instant.
  ///
  /// - Parameter instant: By default an hour after boot, a minute of it asleep, early in 2026.
  public init(
    _ instant: LifecycleInstant = LifecycleInstant(
      continuous: .seconds(3600),
      suspending: .seconds(3540),
      wall: .seconds(1_767_225_600)
    )
  ) {
    self.instant = Locked(instant)
  }

  public var now: LifecycleInstant { instant.withLock { $0 } }

  /// Moves all three clocks. Any thread.
  public func advance(by duration: Duration) {
    instant.withLock {
      $0.continuous += duration
      $0.suspending += duration
      $0.wall += duration
    }
  }

  /// Lets the device sleep: the suspending clock stands still meanwhile. Any thread.
  public func sleepDevice(for duration: Duration) {
    instant.withLock {
      $0.continuous += duration
      $0.wall += duration
    }
  }

  /// Sets the wall clock forward, or back by a negative amount. Any thread.
  public func setWallClock(by shift: Duration) {
    instant.withLock { $0.wall += shift }
  }
}
