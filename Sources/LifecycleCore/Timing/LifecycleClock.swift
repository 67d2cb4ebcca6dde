import LifecycleSupport

/// A source of instants and timers, on which tasks sleep: the system's clocks, or a manual clock in
/// tests.
///
/// It is one of Swift's clocks, so that code that takes `some Clock<Duration>` can measure and
/// sleep by the clock of a bus.
public protocol LifecycleClock: Clock<Duration> where Instant == LifecycleInstant {
  /// The current instant. Called on any thread; never while a lock of the bus is held.
  var now: LifecycleInstant { get }

  /// The current instant of the continuous clock alone: that of ``now``, at the cost of reading one
  /// clock. Called on any thread, for each registration.
  var continuous: ContinuousInstant { get }

  /// The identity of the boot that the readings belong to; nil if it is not known. Called on any
  /// thread.
  ///
  /// Without an identity, the readings can be compared with those of another process only while
  /// the wall clock, which can be set, shows the same moment of the boot.
  var bootID: BootID? { get }

  /// Calls `body` once, when the continuous clock reaches `deadline`.
  ///
  /// `schedule` itself never calls `body`, although another thread may do so before `schedule` has
  /// returned. A deadline that has passed is due at once.
  ///
  /// ```swift
  /// clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }.store(in: scope)
  /// ```
  ///
  /// Called on any thread; never while a lock of the bus is held.
  ///
  /// - Parameters:
  ///   - deadline: The earliest instant of the call.
  ///   - body: Called on any thread, without a lock of the clock.
  /// - Returns: The timer, which is cancelled when it is released.
  func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable

  /// Suspends the task until the continuous clock, which counts the device's sleep, reaches a
  /// deadline; not at all if that has passed.
  ///
  /// The task continues on the caller's actor. The default waits for a timer of
  /// ``schedule(at:_:)``.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, or if it already was.
  nonisolated(nonsending) func sleep(until deadline: ContinuousInstant) async throws
}

extension LifecycleClock {
  /// The continuous reading of ``now``.
  public var continuous: ContinuousInstant { now.continuous }

  /// The default identity: nil, because it is not known.
  public var bootID: BootID? { nil }

  /// The resolution of the system's clocks: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  nonisolated(nonsending) public func sleep(until deadline: ContinuousInstant) async throws {
    let (end, continuation) = AsyncStream<Never>.makeStream()
    try Task.checkCancellation()
    guard deadline > continuous else { return }
    let timer = schedule(at: deadline) { continuation.finish() }
    // Ends when the timer fires, or the task is cancelled.
    for await _ in end {}
    timer.cancel()
    try Task.checkCancellation()
  }

  /// Suspends the task for a duration, as ``sleep(until:)`` does.
  ///
  /// ```swift
  /// try await bus.clock.sleep(for: .seconds(10))
  /// ```
  nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
    try await sleep(until: continuous + duration)
  }

  /// Suspends the task until a deadline, of which the continuous reading counts. Swift calls it in
  /// code that takes any clock, which leaves the caller's actor for it.
  public func sleep(until deadline: LifecycleInstant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline.continuous)
  }
}

extension LifecycleClock {
  /// The clock as a type that Swift converts to `any Clock<Duration>`, too.
  var asClock: any LifecycleClock & Clock<Duration> { self }
}

extension LifecycleClock where Self == SystemLifecycleClock {
  /// The clocks of the operating system.
  public static var system: SystemLifecycleClock { SystemLifecycleClock() }
}

/// A clock's timer that can be set again. Thread-safe.
package final class Alarm: Sendable {
  private struct State {
    var deadline: ContinuousInstant?
    var hasEnded = false
    var timer: LifecycleCancellable?
  }

  private let clock: any LifecycleClock
  private let state = Locked(State())

  package init(_ clock: any LifecycleClock) {
    self.clock = clock
  }

  /// A Boolean value that indicates whether the alarm has ended.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Sets the timer for another deadline.
  ///
  /// Has no effect if the timer is set for that deadline already, or has fired at it, or if the
  /// alarm has ended.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the timer fires; nil for no timer.
  ///   - body: Called once, on a thread of the clock's choice.
  /// - Returns: Whether the deadline differs from the previous one.
  @discardableResult
  package func set(for deadline: ContinuousInstant?, _ body: @escaping @Sendable () -> Void) -> Bool
  {
    let isNew = state.withLock { state in
      guard !state.hasEnded, state.deadline != deadline else { return false }
      state.deadline = deadline
      return true
    }
    guard isNew else { return false }
    let timer = deadline.map { clock.schedule(at: $0, body) }
    // The release of a replaced or unneeded timer cancels it.
    state.discard { state in
      guard state.deadline == deadline else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    return true
  }

  /// Cancels the timer, which can be set again.
  package func cancel() {
    state.discard { state in
      state.deadline = nil
      return state.timer.take()
    }
  }

  /// Cancels the timer permanently: it can't be set again.
  ///
  /// - Returns: Whether this call ended the alarm.
  @discardableResult
  package func end() -> Bool {
    state.withLockDiscarding { state in
      defer {
        state.hasEnded = true
        state.deadline = nil
      }
      return (!state.hasEnded, state.timer.take())
    }
  }
}
