public import ReactiveLifecycle

extension ManualClock {
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
    callDue(withinNext: duration)
  }

  /// Moves all three clocks until the continuous one shows what it shows at that instant, and calls the
  /// timers that become due, each while the clock shows its deadline. Any thread.
  ///
  /// ```swift
  /// let end = clock.now.advanced(by: .seconds(5))
  /// clock.advance(to: end)
  /// ```
  ///
  /// - Parameter instant: Its other two readings don't count. An instant that has passed is reported at
  ///   the caller's line, and moves nothing.
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
        A manual clock can't go back by \((now - end).text), to an instant that has passed. It was \
        left where it is.
        """,
        at: site
      )
      return
    }
    // After a restart that a timer asked for, the instant means nothing any more.
    while let work = core.take({ $0.restarts == restarts ? $0.advance(to: end) : nil }) {
      perform(work)
    }
  }

  /// Moves all three clocks from deadline to deadline until nothing is scheduled any more. Any thread.
  ///
  /// ```swift
  /// clock.run()  // as far as the last timer needs
  /// ```
  ///
  /// Timers, actions of the scheduler, tasks that sleep and tasks that prefer the clock as their executor
  /// count. Tasks that were woken and go on elsewhere may sleep again only after the run has ended.
  ///
  /// - Parameter limit: How many calls may be made. If something is scheduled after them, that is
  ///   reported at the caller's line, and the clock is left where it is.
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
      A manual clock still has something to do after \(calls == 1 ? "1 call" : "\(calls) calls"), \
      which moved it by \((end - start).text); what comes next is due in \(rest.text). Cancel the \
      work that repeats itself before run(), or move the clock with advance(by:).
      """,
      at: site
    )
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
    pass(duration, site) { core.withMachine { $0.sleep(for: duration) } }
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
    pass(duration, site) { core.withMachine { $0.stop(for: duration) } }
  }

  /// Turns the device off, and on again after that time. Any thread.
  ///
  /// The wall clock goes on; the other two begin anew, with 30 s since the boot, which gets another
  /// identity. No timer survives: they are dropped uncalled, and tasks that sleep on the clock get a
  /// `CancellationError`. Tasks that prefer the clock as their executor can't be dropped: they go on
  /// before this returns.
  ///
  /// ```swift
  /// clock.restartDevice(for: .seconds(60))
  /// ```
  ///
  /// - Parameter duration: How long it is off. Not negative: that is reported at the caller's line, and
  ///   restarts nothing.
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

  /// Sets the wall clock forward, or back by a negative amount. Any thread; no timer goes by it.
  public func setWallClock(by shift: Duration) {
    core.withMachine { $0.setWallClock(by: shift) }
  }

  /// Drops the timers uncalled, and throws `CancellationError` into the tasks that sleep, as if the
  /// process were killed: time does not pass. Any thread.
  ///
  /// - Returns: What was dropped. Its release releases what the timers held.
  package func dropTimers() -> any Sendable {
    core.drop()
  }

  /// Moves the clocks while nothing can be called, then calls what became due. What is queued comes
  /// before: it would not have waited.
  private func pass(_ duration: Duration, _ site: CallSite, _ move: () -> Void) {
    guard canMove(by: duration, site) else { return }
    while let job = core.take({ $0.dequeue() }) { perform(job) }
    move()
    callDue(withinNext: .zero)
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

  /// Says whether the clocks can be moved by that; if not, at the caller's line.
  private func canMove(by duration: Duration, _ site: CallSite) -> Bool {
    guard duration < .zero else { return true }
    TestFailures.report(
      """
      A manual clock can't be moved by \(duration.text): of its clocks the wall clock alone goes \
      back, with setWallClock(by:). It was left where it is.
      """,
      at: site
    )
    return false
  }
}
