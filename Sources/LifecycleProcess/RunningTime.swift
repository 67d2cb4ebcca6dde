import Dispatch
import LifecycleSupport

/// The time in which the process can run, by which deadlines of observers and tasks are measured.
///
/// While a container is paused, or after a `SIGSTOP`, no observer can return, but the clocks of the
/// system continue, and no signal reports it. Therefore the thread of the process waits in slices
/// while a deadline is pending, and what a wait takes beyond its slice does not count.
struct RunningTime: Sendable {
  typealias Instant = SuspendingClock.Instant

  /// The time that counts at most between two readings.
  static let slice = Duration.milliseconds(100)

  /// The time that did not count so far.
  private var lost = Duration.zero
  /// The last reading; nil while no deadline is pending, so that all time counts.
  private var lastReading: Instant?

  /// Reads the clock before a wait.
  ///
  /// - Parameter isAwaited: Whether a deadline is pending, so that the wait takes a slice at most.
  mutating func beginWait(at now: Instant, isAwaited: Bool) {
    endWait(at: now)
    lastReading = isAwaited ? now : nil
  }

  /// Reads the clock after a wait.
  mutating func endWait(at now: Instant) {
    guard let lastReading else { return }
    lost += max(now - lastReading - Self.slice, .zero)
    self.lastReading = now
  }

  /// Returns the instant by this time.
  func instant(at now: Instant) -> Instant {
    (lastReading.map { min(now, $0 + Self.slice) } ?? now) - lost
  }

  /// Returns the instant at which a wait for a deadline by this time is to end.
  func wakeUp(for deadline: Instant, at now: Instant) -> Instant {
    min(deadline + lost, now + Self.slice)
  }
}

extension RunningTime {
  private static let ofProcess = Locked(RunningTime())

  /// The current instant by this time. Thread-safe.
  static var now: Instant {
    ofProcess.withLock { $0.instant(at: SuspendingClock.now) }
  }

  /// Begins a wait of the thread of the process for a deadline by this time; nil for none.
  ///
  /// - Returns: The instant at which the wait is to end at the latest; nil if there is none.
  static func beginWait(until deadline: Instant?) -> Instant? {
    ofProcess.withLock { time in
      let now = SuspendingClock.now
      time.beginWait(at: now, isAwaited: deadline != nil)
      return deadline.map { time.wakeUp(for: $0, at: now) }
    }
  }

  /// Ends such a wait.
  static func endWait() {
    ofProcess.withLock { $0.endWait(at: SuspendingClock.now) }
  }
}

extension DispatchQueue {
  /// Calls the body on the queue, and returns when it has returned, or when the time has passed.
  ///
  /// The time is that of `RunningTime`, in slices: the process may be frozen meanwhile.
  func perform(within slices: Int, _ body: @escaping @Sendable () -> Void) {
    let returned = DispatchSemaphore(value: 0)
    async {
      body()
      returned.signal()
    }
    let slice = DispatchTimeInterval.nanoseconds(Int(RunningTime.slice / .nanoseconds(1)))
    for _ in 0..<slices where returned.wait(timeout: .now() + slice) == .success { return }
  }
}

/// Returns the earlier of two instants; nil if there is none.
func earlier<Instant: Comparable>(_ first: Instant?, _ second: Instant?) -> Instant? {
  guard let first, let second else { return first ?? second }
  return min(first, second)
}
