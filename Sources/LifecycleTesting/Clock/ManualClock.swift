import ReactiveLifecycle

/// Three clocks that stand still until a test moves them, and timers that go by them.
///
/// ```swift
/// let clock = ManualClock()
/// let bus = LifecycleBus(clock: clock)
/// bus.send(.didEnterBackground)
/// clock.advance(by: .seconds(30))
/// clock.sleepDevice(for: .seconds(60))
/// bus.send(.didBecomeActive)  // a stay of 90 s, 60 s of them asleep
/// ```
///
/// Whoever moves the clock calls the timers that become due, one after the other, in order of their
/// deadlines; those with equal deadlines in order of scheduling. What a timer schedules takes part.
///
/// ```swift
/// let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
/// clock.advance(by: .seconds(4))
/// clock.advance(by: .seconds(1))  // "five seconds"
/// ```
///
/// Several threads may move one clock: it then moves by the sum, never back, and each timer is called
/// once, by one of them; which, and in which order across the threads, is not promised. A timer may
/// move the clock, too.
public final class ManualClock: LifecycleClock {
  private struct State {
    var machine: ManualClockMachine
    var bodies: [Int: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>
  public let boot: BootIdentity?

  /// Clocks that show the given instant.
  ///
  /// - Parameters:
  ///   - instant: By default an hour after boot, a minute of it asleep, early in 2026.
  ///   - boot: Which boot that is. Two clocks with different identities stand for the time before and
  ///     after a restart of the machine; nil for a machine that can't tell.
  public init(
    _ instant: LifecycleInstant = LifecycleInstant(
      continuous: .seconds(3600),
      suspending: .seconds(3540),
      wall: .seconds(1_767_225_600)
    ),
    boot: BootIdentity? = BootIdentity(rawValue: "manual")
  ) {
    self.boot = boot
    state = Locked(State(machine: ManualClockMachine(now: instant)))
  }

  public var now: LifecycleInstant { state.withLock { $0.machine.now } }

  /// How many timers are still to be called.
  package var timerCount: Int { state.withLock { $0.bodies.count } }

  /// Has `body` called once, when the clock is moved to the deadline or further. Any thread.
  ///
  /// - Parameters:
  ///   - deadline: A reading of the continuous clock. One that has passed is due at the next move,
  ///     one by nothing included.
  ///   - body: Called on the thread that moves the clock, before the move returns.
  /// - Returns: The timer, which cancels when it is released.
  public func schedule(
    at deadline: Duration,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleTimer {
    let id = state.withLock { state in
      let id = state.machine.schedule(at: deadline)
      state.bodies[id] = body
      return id
    }
    // What the body captured must not be released under the lock.
    return LifecycleTimer { _ = self.take(id) }
  }

  /// Moves all three clocks, and calls the timers that become due, each while the clock shows its
  /// deadline. Any thread.
  ///
  /// - Parameter duration: Not negative: that is reported at the caller's line, and moves nothing.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard canMove(by: duration, site) else { return }
    callTimers(withinNext: duration)
  }

  private func callTimers(withinNext duration: Duration) {
    var rest = duration
    while let id = state.withLock({ $0.machine.advance(by: &rest) }) {
      take(id)?()
    }
  }

  /// Lets the device sleep: the suspending clock stands still meanwhile, and so do the timers. Those
  /// that became due are called at the wake-up. Any thread.
  ///
  /// - Parameter duration: Not negative: that is reported at the caller's line, and moves nothing.
  public func sleepDevice(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    pass(duration, site) { $0.sleep(for: duration) }
  }

  /// Stops the process, as SIGSTOP does: all three clocks go on, and no timer is called meanwhile. Those
  /// that became due are called when the process continues, while the clock shows the end of the stop.
  /// Any thread.
  ///
  /// - Parameter duration: Not negative: that is reported at the caller's line, and moves nothing.
  public func stopProcess(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    pass(duration, site) { $0.stop(for: duration) }
  }

  /// Moves the clocks while no timer can be called, then calls those that became due.
  private func pass(
    _ duration: Duration,
    _ site: CallSite,
    _ move: (inout ManualClockMachine) -> Void
  ) {
    guard canMove(by: duration, site) else { return }
    state.withLock { move(&$0.machine) }
    callTimers(withinNext: .zero)
  }

  /// Says whether the clocks can be moved by that; if not, at the caller's line.
  private func canMove(by duration: Duration, _ site: CallSite) -> Bool {
    guard duration < .zero else { return true }
    site.report(
      """
      A manual clock can't be moved by \(duration): of its clocks the wall clock alone goes back, with \
      setWallClock(by:). It was left where it is.
      """
    )
    return false
  }

  /// Sets the wall clock forward, or back by a negative amount. Any thread; no timer goes by it.
  public func setWallClock(by shift: Duration) {
    state.withLock { $0.machine.setWallClock(by: shift) }
  }

  private func take(_ id: Int) -> (@Sendable () -> Void)? {
    state.withLock { $0.bodies.removeValue(forKey: id) }
  }
}
