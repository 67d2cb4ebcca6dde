public import LifecycleCore

/// Three clocks that stand still until a test moves them, and the timers that depend on them.
///
/// ```swift
/// let clock = ManualClock()
/// let bus = LifecycleBus(clock: clock)
/// bus.send(.didEnterBackground)
/// clock.advance(by: .seconds(30))
/// clock.sleepDevice(for: .seconds(60))
/// clock.stopProcess(for: .seconds(10))
/// clock.setWallClock(by: .seconds(-3600))
/// bus.send(.didBecomeActive)  // a stay of 100 s, 60 s of them asleep, the clock an hour back
/// ```
///
/// A call that moves the clock calls the timers that become due one after another, in the order of
/// their deadlines; timers with equal deadlines are called in the order of scheduling. Timers that
/// a timer schedules are included.
///
/// ```swift
/// clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }.store(in: scope)
/// clock.advance(by: .seconds(4))
/// clock.advance(by: .seconds(1))  // "five seconds"
/// ```
///
/// Work that runs inside the move sees the time at which it is due. <doc:TestingYourViewModel>
/// lists what may run elsewhere.
///
/// Several threads may move one clock: it then moves by the sum, never back, and each timer is
/// called once, by one of them. The choice of the thread, and the order across threads, are not
/// guaranteed. A timer may move the clock, too. When the clock is released, scheduled work is
/// dropped.
public final class ManualClock: LifecycleClock {
  let core: ManualClockCore
  private let firstBoot: BootID?

  /// Creates clocks that show the given instant.
  ///
  /// - Parameters:
  ///   - instant: The readings to start with; by default an hour after boot, a minute of it asleep,
  ///     early in 2026.
  ///   - bootID: The identity of the boot. Two clocks with different identities stand for the time
  ///     before and after a restart of the machine; pass nil for a machine that can't identify its
  ///     boots.
  public init(
    _ instant: LifecycleInstant = LifecycleInstant(
      continuous: .boot + .seconds(3600),
      timeAwake: .seconds(3540),
      timeSince1970: .seconds(1_767_225_600)
    ),
    bootID: BootID? = BootID(rawValue: "manual")
  ) {
    firstBoot = bootID
    core = ManualClockCore(now: instant)
  }

  deinit {
    core.end()
  }

  public var now: LifecycleInstant { core.now }

  /// The identity of the boot, which changes with each restart: `manual`, `manual-2`, …; nil stays
  /// nil.
  public var bootID: BootID? {
    let restarts = core.withMachine { $0.restarts }
    return firstBoot.map { boot in
      restarts == 0 ? boot : BootID(rawValue: "\(boot.rawValue)-\(restarts + 1)")
    }
  }

  /// The number of timers that are still to be called.
  package var timerCount: Int { core.timerCount }

  /// The time that has passed since the clock was created, independent of changes to its readings.
  package var elapsed: Duration { core.withMachine { $0.elapsed } }

  /// Calls `body` once, when the clock is moved to the deadline or further. Thread-safe.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the timer is due. If it has passed, the timer is due at the
  ///     next move, even one by zero.
  ///   - body: Called on the thread that moves the clock, before the move returns.
  /// - Returns: The timer, which cancels when it is released.
  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    let id = core.schedule(at: deadline, body)
    return LifecycleCancellable { [core] in _ = id.flatMap(core.cancel) }
  }
}

extension ManualClock {
  // MARK: Moves

  /// Advances all three clocks and calls the timers that become due, each while the clock shows its
  /// deadline.
  ///
  /// Thread-safe.
  ///
  /// - Parameter duration: The duration to advance by. A negative duration is reported at the
  ///   caller's line and moves nothing.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    guard canMove(by: duration, site) else { return }
    callDue(withinNext: duration)
  }

  /// Advances all three clocks from deadline to deadline until nothing is scheduled.
  ///
  /// Thread-safe.
  ///
  /// ```swift
  /// clock.run()  // as far as the last timer needs
  /// ```
  ///
  /// Timers, actions of the scheduler, sleeping tasks, and tasks that prefer the clock as their
  /// executor count. Tasks that are woken and continue elsewhere may sleep again only after the run
  /// has ended.
  ///
  /// - Parameter limit: The maximum number of calls. If something is still scheduled after them,
  ///   that is reported at the caller's line, and the clock stays where it is.
  public func run(
    limit: Int = 10_000,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let start = elapsed
    var calls = 0
    while calls < limit, let work = core.take({ $0.advanceToNext() }) {
      calls += 1
      perform(work)
    }
    let (end, rest) = core.withMachine { ($0.elapsed, $0.timeToNext()) }
    guard let rest else { return }
    TestFailures.report(
      """
      The manual clock still has scheduled work after \(calls == 1 ? "1 call" : "\(calls) calls"), \
      which moved it by \((end - start).text). The next call is due in \(rest.text). Cancel \
      repeating work before run(), or move the clock with advance(by:).
      """,
      at: site
    )
  }

  /// Puts the device to sleep for a duration: the suspending clock stands still meanwhile, and no
  /// timer fires.
  ///
  /// Timers that became due meanwhile are called at the wake-up. Thread-safe.
  ///
  /// - Parameter duration: The duration of the sleep. A negative duration is reported at the
  ///   caller's line and moves nothing.
  public func sleepDevice(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    if canMove(by: duration, site) { pass { $0.sleep(for: duration) } }
  }

  /// Stops the process for a duration, as SIGSTOP does.
  ///
  /// All three clocks keep running, and no timer is called meanwhile. Timers that became due are
  /// called when the process continues, while the clock shows the end of the stop. Thread-safe.
  ///
  /// - Parameter duration: The duration of the stop. A negative duration is reported at the
  ///   caller's line and moves nothing.
  public func stopProcess(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    if canMove(by: duration, site) { pass { $0.pass(duration) } }
  }

  /// Turns the device off, and on again after a duration.
  ///
  /// The wall clock keeps running. The other two clocks start again at 30 s since the boot, which
  /// gets another identity. No timer survives: timers are dropped uncalled, and tasks that sleep on
  /// the clock receive a `CancellationError`. Tasks that prefer the clock as their executor can't
  /// be dropped: they continue before this method returns. Thread-safe.
  ///
  /// ```swift
  /// clock.restartDevice(for: .seconds(60))
  /// ```
  ///
  /// - Parameter duration: The time for which the device is off. A negative duration is reported at
  ///   the caller's line and restarts nothing.
  public func restartDevice(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    guard canMove(by: duration, site) else { return }
    callQueued()
    _ = core.drop { $0.restart(after: duration) }
    callDue(withinNext: .zero)
  }

  /// Sets the wall clock forward, or back by a negative amount; no timer depends on it.
  /// Thread-safe.
  public func setWallClock(by shift: Duration) {
    core.withMachine { $0.setWallClock(by: shift) }
  }

  /// Drops the timers uncalled and throws `CancellationError` into the sleeping tasks, as if the
  /// process were killed.
  ///
  /// No time passes. Thread-safe.
  ///
  /// - Returns: The dropped work. Its release releases the values that the timers held.
  func dropTimers() -> any Sendable {
    core.drop()
  }

  /// Moves the clocks to a recorded instant: the time awake passes first, then the time asleep, and
  /// then the wall clock is set. Calls the timers that become due.
  ///
  /// Has no effect if the instant has passed.
  ///
  /// - Parameter limit: The time to move by at most, in which case the wall clock is not set.
  func follow(to instant: LifecycleInstant, atMost limit: Duration? = nil) {
    let start = now
    let distance = start.continuous.duration(to: instant.continuous)
    guard distance >= .zero else { return }
    let time = min(limit ?? distance, distance)
    let awake = max(instant.timeAwake.clamped - start.timeAwake.clamped, .zero)
    advance(by: min(awake, time))
    if time < distance {
      sleepDevice(for: time - min(awake, time))
    } else if now.continuous <= instant.continuous {
      pass { $0.show(instant) }
    }
  }

  /// Restarts the device, and shows the instant that was recorded after that.
  func restartDevice(to instant: LifecycleInstant) {
    let timeOff = instant.timeSince1970.clamped - now.timeSince1970.clamped
    restartDevice(for: max(timeOff, .zero))
    pass { $0.showAfterRestart(instant) }
  }

  // MARK: Parts

  /// Moves the clocks while nothing can be called, then calls the timers that became due.
  private func pass(_ move: (inout ManualClockCore.Machine) -> Void) {
    callQueued()
    core.withMachine { move(&$0) }
    callDue(withinNext: .zero)
  }

  /// Runs queued work, which would not have waited for a move.
  private func callQueued() {
    while let job = core.take({ $0.dequeue() }) { perform(job) }
  }

  private func callDue(withinNext duration: Duration) {
    var rest = duration
    while let work = core.take({ $0.advance(by: &rest) }) { perform(work) }
  }

  func perform(_ work: ManualClockCore.Work) {
    switch work {
    case .timer(let body): body()
    case .sleeper(let sleeper): sleeper.suspension.end()
    case .job(let job):
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Returns whether the clocks can be moved by a duration, and reports it at the caller's line if
  /// not.
  private func canMove(by duration: Duration, _ site: CallSite) -> Bool {
    guard duration < .zero else { return true }
    TestFailures.report(
      """
      The manual clock can't be moved by \(duration.text), so it was not moved. Only its wall \
      clock can go back: use setWallClock(by:).
      """,
      at: site
    )
    return false
  }
}

extension ManualClock {
  // MARK: Sleeping tasks

  /// Suspends the task until the continuous clock reaches a deadline.
  ///
  /// Can be called from any task. A sleeping task holds the clock: wake it or cancel it, or neither
  /// is released. Sleeping tasks are woken among the timers, in the same order, and then continue
  /// on their own executors; see the table at ``ManualClock``.
  ///
  /// ```swift
  /// let task = Task(executorPreference: clock) {
  ///   for _ in 1...3 {
  ///     try await clock.sleep(for: .seconds(1))
  ///     trace("\(start.duration(to: clock.now))")
  ///   }
  /// }
  /// clock.advance(by: .seconds(3))  // the task sees 1, 2 and 3 s
  /// ```
  ///
  /// - Parameter deadline: The deadline. If it has passed, the task continues immediately.
  /// - Throws: `CancellationError` as soon as the task is cancelled, or if it already was; and if
  ///   the device is restarted meanwhile.
  nonisolated(nonsending) public func sleep(until deadline: ContinuousInstant) async throws {
    try Task.checkCancellation()
    let sleeper = ManualClockCore.Sleeper(actor: #isolation)
    guard let id = core.sleep(until: deadline, sleeper) else { return }
    try await sleeper.suspension.wait { [core] in
      _ = core.cancel(id)
      sleeper.suspension.cancel()
    }
  }

  /// Suspends until at least a number of tasks sleep on the clock.
  ///
  /// Returns immediately if that many are asleep, or else when the last of them has fallen asleep.
  /// Can be called from any task.
  ///
  /// A woken task runs concurrently with the test. A test of a task on the main actor therefore
  /// waits for the next sleep of the task, or for its value, before it checks the task's effects.
  ///
  /// ```swift
  /// let task = Task { @MainActor in
  ///   try await Task.sleep(for: .seconds(1), clock: clock)
  ///   trace("one second")
  ///   try await Task.sleep(for: .seconds(1), clock: clock)
  ///   trace("two seconds")
  /// }
  /// try await clock.waitForSleepers()
  /// clock.advance(by: .seconds(1))
  /// try await clock.waitForSleepers()  // "one second"
  /// clock.advance(by: .seconds(1))
  /// try await task.value  // "two seconds"
  /// ```
  ///
  /// - Parameter count: The number of sleeping tasks. Tasks that have been woken don't count.
  /// - Throws: `CancellationError` as soon as the waiting task is cancelled, or if it already was.
  public func waitForSleepers(_ count: Int = 1) async throws {
    try Task.checkCancellation()
    let waiter = Suspension()
    guard let id = core.wait(forSleepers: count, waiter) else { return }
    try await waiter.wait { [core] in
      core.cancelWait(id)
      waiter.cancel()
    }
  }
}

// Before iOS 18, tasks have no preferred executor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ManualClock: TaskExecutor {
  /// Queues a job of a task that prefers the clock as its executor.
  ///
  /// The next move of the clock runs the job, before the clocks continue. Called by Swift, on any
  /// thread.
  ///
  /// A move by zero runs the queued jobs, too. Until then such a task has not begun, a cancelled
  /// one has not noticed, and a caller that awaits its value waits. A task holds the clock until it
  /// ends.
  public func enqueue(_ job: consuming ExecutorJob) {
    core.enqueue(UnownedJob(job))
  }
}
