import Dispatch
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
  package init() {}

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

  /// Suspends the task until the deadline.
  ///
  /// If it passes while the device sleeps, the task continues at the wake-up; on Linux, at most a
  /// minute later.
  nonisolated(nonsending) public func sleep(until deadline: ContinuousInstant) async throws {
    try Task.checkCancellation()
    while case let rest = deadline - continuous, rest > .zero {
      try await ContinuousClock().sleep(until: .now + min(rest, Self.longestSleep))
    }
  }

  #if canImport(Darwin)
    static let continuousClock = CLOCK_MONOTONIC_RAW
    static let suspendingClock = CLOCK_UPTIME_RAW
    private static let longestSleep = Duration.seconds(1 << 31)
  #else
    static let continuousClock = CLOCK_BOOTTIME
    static let suspendingClock = CLOCK_MONOTONIC
    /// Here, a sleep on a `ContinuousClock` counts waking time only: its timer runs on
    /// `CLOCK_MONOTONIC`, in Swift 6.3.1.
    private static let longestSleep = Duration.seconds(60)
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

/// A Dispatch timer that follows another clock. It runs from its creation until it is released.
///
/// Dispatch's own clock stops while the device sleeps, so the timer may fire late. The two clocks
/// need not run at the same rate, so it may also fire early: then it is armed again.
///
/// A timer that is late may mean that the process was stopped, possibly by `SIGSTOP`, which can't
/// be caught. The process that continued it may have taken over its terminal. The timer therefore
/// waits once more, for a moment, in which the sources can report that.
final class DispatchTimer: Sendable {
  private static let grace = Duration.milliseconds(100)
  /// Lets Dispatch open its timer, which it does once, when the first one is armed, and which must
  /// not lie where a closed standard stream was.
  private static let opened: Void = {
    guard SystemDescriptor.isStreamClosed else { return }
    SystemDescriptor.keepingAboveStreams {
      let handled = DispatchSemaphore(value: 0)
      // Dispatch arms no timer that is due, as one of a moment may be on a busy machine.
      let far = DispatchSource.makeTimerSource(queue: .global())
      far.setRegistrationHandler { handled.signal() }
      far.schedule(deadline: .now() + .seconds(3_600))
      far.activate()
      handled.wait()
      // The thread of Dispatch arms what is far when it has fired what is due. So it has by the
      // time that it fires the second one.
      for _ in 0..<2 {
        let due = DispatchSource.makeTimerSource(queue: .global())
        due.setEventHandler { handled.signal() }
        due.schedule(deadline: .now())
        due.activate()
        handled.wait()
        due.cancel()
      }
      far.cancel()
    }
  }()

  private let deadline: ContinuousInstant
  /// The last instant at which the timer is not late. A timer that was already due when it was
  /// created is not late for that reason.
  private let latest: ContinuousInstant
  private let reading: @Sendable () -> ContinuousInstant
  private let body: Locked<(@Sendable () -> Void)?>
  private let hasWaited = Atomic(false)
  /// Dispatch's timers may be used on any thread.
  private let source = UncheckedSendable(DispatchSource.makeTimerSource(queue: .global()))

  /// Creates a timer, and starts it.
  ///
  /// - Parameters:
  ///   - deadline: The reading that the clock must reach before the body is called.
  ///   - reading: Returns the current reading of the clock.
  ///   - body: Called once, on a Dispatch queue.
  init(
    deadline: ContinuousInstant,
    reading: @escaping @Sendable () -> ContinuousInstant,
    body: @escaping @Sendable () -> Void
  ) {
    Self.opened
    let now = reading()
    self.deadline = deadline
    latest = max(deadline, now) + Self.grace
    self.reading = reading
    self.body = Locked(body)
    source.value.setEventHandler { [weak self] in self?.fire() }
    arm(for: deadline - now)
    source.value.activate()
  }

  deinit {
    source.value.cancel()
  }

  /// Cancels the timer. Thread-safe.
  func cancel() {
    body.take()
    source.value.cancel()
  }

  private func fire() {
    let now = reading()
    guard now >= deadline else { return arm(for: deadline - now) }
    if now > latest, !hasWaited.exchange(true, ordering: .relaxed) {
      return arm(for: Self.grace)
    }
    body.take()?()
    source.value.cancel()
  }

  private func arm(for rest: Duration) {
    source.value.schedule(deadline: .now() + rest.dispatchInterval)
  }
}
