import LifecycleSupport

extension LifecycleBusProtocol {
  /// Runs an asynchronous body each time the phase begins to meet a condition, and cancels it when
  /// the phase no longer does, until the bus ends.
  ///
  /// The body runs on the caller's actor unless it names another, like the operation of a task.
  ///
  /// - The body starts a turn of the executor after the event, or after the call if the phase meets
  ///   the condition already, and not at all if the phase has changed again by then.
  /// - The body is cancelled inside the delivery: its cancellation handlers have run when the
  ///   event's delivery ends. The rest of its clean-up takes turns of the executor.
  /// - The next run waits for that clean-up: there are never two at once. A body that returns
  ///   before it is cancelled runs again the next time.
  /// - The body has the caller's task-local values and priority. The bus is not kept alive.
  /// - A body that may run until the end, as with `.atMost(.background)`, is cancelled after
  ///   `willTerminate`.
  ///
  /// ```swift
  /// try await bus.repeatWhile(.foreground) {
  ///   for await reading in sensor.readings { show(reading) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - condition: The phases to run in. A condition that every phase meets, and
  ///     `.atMost(.terminated)`, which leaves no time for a body, are reported at the caller's
  ///     line.
  ///   - isolation: The caller's actor.
  ///   - body: The work. A `CancellationError` that it throws after it was cancelled is its normal
  ///     end.
  /// - Throws: The errors of the body, which does not run again; `CancellationError` if the calling
  ///   task is cancelled, after the body's clean-up.
  public consuming func repeatWhile(
    _ condition: LifecyclePhase.Condition,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @_inheritActorContext _ body: @escaping @Sendable @isolated(any) () async throws -> Void
  ) async throws {
    let site = CallSite(fileID, filePath, line, column)
    let core = (consume self).core
    condition.reportIfAlwaysMet(
      "repeatWhile runs its body until the bus ends",
      atTheEnd: "observe willTerminate",
      site
    )
    if condition == .atMost(.terminated) {
      site.report(
        """
        repeatWhile(.atMost(.terminated)) cancels its body at once, because the bus ends in that \
        phase. To act at the end of the process, observe willTerminate.
        """
      )
    }
    let visits = Visits(condition)
    let row = ListenerRow(core: core, kinds: .transitions, site: site, listener: visits)
    defer { row.cancel() }
    try await withTaskCancellationHandler {
      core.listen(row)
      while try await visits.runNext(isolation: isolation, body) {}
    } onCancel: {
      visits.end()
    }
    try Task.checkCancellation()
  }
}

/// A listener that runs a body once per visit, never two at a time.
///
/// A visit is the time in which the phase of a bus meets a condition. Each run is a task that
/// exists before its visit and waits for it, so that the delivery that ends the visit can cancel
/// the task from the visit's first moment, and the arrival only has to resume it.
final class Visits: BusListener {
  private let condition: LifecyclePhase.Condition
  private let machine = Locked(VisitMachine())

  init(_ condition: LifecyclePhase.Condition) {
    self.condition = condition
  }

  /// Waits for the next visit, runs the body, and waits for it.
  ///
  /// - Parameter isolation: The actor on which the run waits, so that a body of the same actor
  ///   starts without a further turn.
  /// - Returns: False if there is no next visit.
  func runNext(
    isolation: isolated (any Actor)?,
    _ body: @escaping @Sendable @isolated(any) () async throws -> Void
  ) async throws -> Bool {
    let runner = Task {
      guard await waitForStart(isolation: isolation) else { return false }
      // The visit may have ended before its runner has its turn.
      guard !Task.isCancelled else { return true }
      do { try await body() } catch is CancellationError where Task.isCancelled {}
      return true
    }
    perform(machine.withLock { $0.add(runner) })
    defer { machine.discard { $0.runnerDidReturn() } }
    return try await runner.value
  }

  /// Cancels the running body, and starts no other.
  func end() {
    perform(machine.withLock { $0.end() })
  }

  func join(at delivered: DeliveredState) {
    // The phase of a bus that is ending or has ended does not count: `busDidEnd` comes next.
    if delivered.phase != .terminated { note(delivered.phase) }
  }

  func receive(_ event: LifecycleEvent) { note(event.phase) }

  func busDidEnd() { end() }

  private func note(_ phase: LifecyclePhase) {
    let isMet = condition.contains(phase)
    perform(machine.withLock { isMet ? $0.arrive() : $0.leave() })
  }

  private func waitForStart(isolation: isolated (any Actor)?) async -> Bool {
    await withCheckedContinuation(isolation: isolation) { continuation in
      perform(machine.withLock { $0.wait { continuation.resume(returning: $0) } })
    }
  }

  private func perform(_ action: VisitMachine.Action?) {
    switch action {
    case .resume(let waiter, let starts): waiter(starts)
    case .cancel(let runner): runner.cancel()
    case nil: break
    }
  }
}

/// A state machine that starts runners, one after the other, each on a separate visit.
///
/// A visit is the time in which the phase of the bus meets the condition without interruption. A
/// runner starts once it has been added and waits, in either order. It must have been added so that
/// it can be cancelled from its first moment.
struct VisitMachine: Sendable {
  typealias Runner = Task<Bool, any Error>
  typealias Waiter = @Sendable (_ starts: Bool) -> Void

  enum Action: Sendable {
    /// The next runner starts, or there is no next visit.
    case resume(Waiter, starts: Bool)
    case cancel(Runner)
  }

  private enum Visit {
    case none
    /// No runner has started yet.
    case open
    /// A runner has started; nil once it has returned.
    case used(by: Runner?)
  }

  private var visit = Visit.none
  /// The next runner, which has not started.
  private var nextRunner: Runner?
  /// Resumed when the next runner starts.
  private var waiter: Waiter?
  private var hasEnded = false

  // MARK: The runner

  /// Adds the next runner.
  mutating func add(_ runner: Runner) -> Action? {
    nextRunner = runner
    return startIfPossible()
  }

  /// Adds the waiter of the next runner.
  mutating func wait(_ waiter: @escaping Waiter) -> Action? {
    guard !hasEnded else { return .resume(waiter, starts: false) }
    self.waiter = waiter
    return startIfPossible()
  }

  /// Removes the runner that has returned. Returns it for the caller to release outside the lock.
  mutating func runnerDidReturn() -> Runner? {
    guard case .used(let runner) = visit else { return nil }
    visit = .used(by: nil)
    return runner
  }

  // MARK: The bus

  /// Opens a visit, unless there is one: the phase meets the condition.
  mutating func arrive() -> Action? {
    guard case .none = visit else { return nil }
    visit = .open
    return startIfPossible()
  }

  /// Ends the visit: the phase does not meet the condition.
  mutating func leave() -> Action? {
    defer { visit = .none }
    guard case .used(let runner?) = visit else { return nil }
    return .cancel(runner)
  }

  /// Prevents further runners: the bus has ended, or the caller has been cancelled.
  mutating func end() -> Action? {
    hasEnded = true
    if let waiter = waiter.take() { return .resume(waiter, starts: false) }
    return leave()
  }

  private mutating func startIfPossible() -> Action? {
    guard case .open = visit, nextRunner != nil, let waiter = waiter.take() else { return nil }
    visit = .used(by: nextRunner.take())
    return .resume(waiter, starts: true)
  }
}
