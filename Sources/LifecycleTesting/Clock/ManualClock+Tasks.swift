public import ReactiveLifecycle

extension ManualClock: Clock {
  /// The smallest step of a `Duration`.
  public var minimumResolution: Duration { Duration(attoseconds: 1) }

  /// Suspends the task until the continuous clock reaches a deadline.
  ///
  /// Can be called from any task. A sleeping task holds the clock: wake it or cancel it, or neither
  /// is released. Sleeping tasks are woken among the timers, in the same order, and then continue
  /// on their own executors; see the table at ``ManualClock``.
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
  ///   - deadline: The deadline, of which `LifecycleInstant.continuous` counts. If it has passed,
  ///     the task continues immediately.
  ///   - tolerance: Ignored: a manual clock is never late.
  /// - Throws: `CancellationError` as soon as the task is cancelled, or if it already was; and if
  ///   the device is restarted meanwhile.
  public func sleep(until deadline: LifecycleInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Suspension()
    guard let id = core.sleep(until: deadline.continuous, sleeper) else { return }
    try await sleeper.wait { [core] in
      _ = core.cancel(id)
      sleeper.cancel()
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
