public import ReactiveLifecycle

extension ManualClock {
  /// Advances all three clocks and calls the timers that become due, each while the clock shows its
  /// deadline.
  ///
  /// Thread-safe.
  ///
  /// - Parameter duration: The duration to advance by. A negative duration is reported at the
  ///   caller's line and moves nothing.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard canMove(by: duration, site) else { return }
    callDue(withinNext: duration)
  }

  /// Advances all three clocks until the continuous clock shows the reading of an instant, and
  /// calls the timers that become due, each while the clock shows its deadline.
  ///
  /// Thread-safe.
  ///
  /// ```swift
  /// let end = clock.now.advanced(by: .seconds(5))
  /// clock.advance(to: end)
  /// ```
  ///
  /// - Parameter instant: The instant whose continuous reading to advance to; its other two
  ///   readings are ignored. An instant that has passed is reported at the caller's line and moves
  ///   nothing.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func advance(
    to instant: LifecycleInstant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let end = instant.continuous.clamped
    let (now, restarts) = core.withMachine { ($0.now.continuous, $0.restarts) }
    guard now <= end else {
      TestFailures.report(
        """
        The manual clock can't go back by \((now - end).text) to an instant in the past, so it was \
        not moved. Pass a later instant.
        """,
        at: site
      )
      return
    }
    // After a restart by a timer, the instant no longer has a meaning.
    while let work = core.take({ $0.restarts == restarts ? $0.advance(to: end) : nil }) {
      perform(work)
    }
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
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func run(
    limit: Int = 10_000,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
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
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func sleepDevice(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    pass(duration, site) { core.withMachine { $0.sleep(for: duration) } }
  }

  /// Stops the process for a duration, as SIGSTOP does.
  ///
  /// All three clocks keep running, and no timer is called meanwhile. Timers that became due are
  /// called when the process continues, while the clock shows the end of the stop. Thread-safe.
  ///
  /// - Parameter duration: The duration of the stop. A negative duration is reported at the
  ///   caller's line and moves nothing.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func stopProcess(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    pass(duration, site) { core.withMachine { $0.stop(for: duration) } }
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
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func restartDevice(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    pass(duration, site) { _ = core.drop { $0.restart(after: duration) } }
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
  package func dropTimers() -> any Sendable {
    core.drop()
  }

  private func pass(_ duration: Duration, _ site: CallSite, _ move: () -> Void) {
    if canMove(by: duration, site) { pass(move) }
  }

  /// Moves the clocks while nothing can be called, then calls the timers that became due. Queued
  /// work runs first, as it would not have waited.
  private func pass(_ move: () -> Void) {
    while let job = core.take({ $0.dequeue() }) { perform(job) }
    move()
    callDue(withinNext: .zero)
  }

  func pass(_ move: (inout ManualClockCore.Machine) -> Void) {
    pass { core.withMachine { move(&$0) } }
  }

  private func callDue(withinNext duration: Duration) {
    var rest = duration
    while let work = core.take({ $0.advance(by: &rest) }) { perform(work) }
  }

  private func perform(_ work: ManualClockCore.Work) {
    switch work {
    case .timer(let body): body()
    case .sleeper(let sleeper): sleeper.end()
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
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
