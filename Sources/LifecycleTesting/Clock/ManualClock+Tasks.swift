public import ReactiveLifecycle

extension ManualClock: Clock {
  /// The smallest step of a `Duration`.
  public var minimumResolution: Duration { Duration(attoseconds: 1) }

  /// Suspends the task until the continuous clock shows the deadline or more. Any task.
  ///
  /// A task that sleeps holds the clock: wake it, or cancel it, or both stay. Sleeping tasks are woken in
  /// the order of timers, among them, and then go on where they belong; see the table at the type.
  ///
  /// ```swift
  /// let task = Task(executorPreference: clock) {
  ///   for _ in 1...3 {
  ///     try await Task.sleep(for: .seconds(1), clock: clock)
  ///     trace("\(start.duration(to: clock.now))")
  ///   }
  /// }
  /// clock.advance(by: .seconds(3))  // the task sees 1, 2 and 3 s
  /// ```
  ///
  /// - Parameters:
  ///   - deadline: Its ``LifecycleInstant/continuous`` counts. If it has passed, the task goes on at
  ///     once.
  ///   - tolerance: Not used: a manual clock is never late.
  /// - Throws: `CancellationError` as soon as the task is cancelled, also if it was before; and when the
  ///   device is restarted meanwhile.
  public func sleep(until deadline: LifecycleInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Suspension()
    guard let id = core.sleep(until: deadline.continuous, sleeper) else { return }
    try await sleeper.wait { [core] in
      _ = core.cancel(id)
      sleeper.cancel()
    }
  }

  /// Returns as soon as at least that many tasks sleep on the clock: at once, or when the last of them
  /// has fallen asleep. Any task.
  ///
  /// A task that was woken goes on while the test does, so that a test of a task on the main actor waits
  /// for its next sleep, or for its value, before it looks at what the task has done.
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
  /// - Parameter count: How many. Tasks that have been woken don't count.
  /// - Throws: `CancellationError` as soon as the waiting task is cancelled, also if it was before.
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

extension ManualClock: TaskExecutor {
  /// Queues a piece of a task that prefers the clock as its executor. Whoever moves the clock next runs
  /// it, inside the move, before the clocks go on. Called by Swift, on any thread.
  ///
  /// A move by nothing runs what is queued, too. Until then such a task has not begun, one that was
  /// cancelled has not noticed, and who awaits its value waits. A task holds the clock until it ends.
  public func enqueue(_ job: consuming ExecutorJob) {
    core.enqueue(UnownedJob(job))
  }
}
