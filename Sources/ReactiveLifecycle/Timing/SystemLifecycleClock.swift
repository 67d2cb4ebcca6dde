import LifecycleSupport

/// The clocks of the operating system.
///
/// On Linux these are `CLOCK_BOOTTIME`, `CLOCK_MONOTONIC` and `CLOCK_REALTIME`; on Apple platforms
/// `CLOCK_MONOTONIC_RAW` (which keeps counting during sleep there), `CLOCK_UPTIME_RAW` and
/// `CLOCK_REALTIME`. `ContinuousClock`, `SuspendingClock` and `Date` read the same clocks.
///
/// Its timers are Dispatch timers, which count waking time only. If a deadline passes while the
/// device sleeps, the timer fires after the wake-up, once the waking time that was left when the
/// sleep began has passed. A timer that is late by more than a tenth of a second waits for another
/// tenth: the process may have been stopped, and the sources can first report what happened to it.
public struct SystemLifecycleClock: LifecycleClock {
  /// Creates an instance that reads the clocks of the operating system.
  public init() {}

  public var now: LifecycleInstant { Self.now(reading: Self.time) }

  public var continuous: ContinuousInstant {
    ContinuousInstant(timeSinceBoot: Self.time(on: Self.continuousClock))
  }

  public var bootID: BootID? { .system }

  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    let timer = DispatchTimer(deadline: deadline, reading: { continuous }, body: body)
    return LifecycleCancellable { timer.cancel() }
  }

  #if canImport(Darwin)
    static let continuousClock = CLOCK_MONOTONIC_RAW
    static let suspendingClock = CLOCK_UPTIME_RAW
  #else
    static let continuousClock = CLOCK_BOOTTIME
    static let suspendingClock = CLOCK_MONOTONIC
  #endif

  /// Reads the three clocks at one moment.
  ///
  /// If the thread is preempted between two readings, they show sleep, or a change of the wall
  /// clock, that did not happen. Then the clocks are read again. A thread that has just resumed is
  /// seldom preempted at once, so a few attempts suffice.
  static func now(reading time: (clockid_t) -> Duration) -> LifecycleInstant {
    var attempts = 0
    while true {
      let continuous = time(continuousClock)
      let (awake, wall) = (time(suspendingClock), time(CLOCK_REALTIME))
      attempts += 1
      if time(continuousClock) - continuous < .microseconds(100) || attempts == 8 {
        return LifecycleInstant(
          continuous: ContinuousInstant(timeSinceBoot: continuous),
          timeAwake: awake,
          timeSince1970: wall
        )
      }
    }
  }

  private static func time(on clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000
    )
  }
}
