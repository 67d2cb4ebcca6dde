import LifecycleSupport

/// A listener that runs a body once per visit, never two at a time.
///
/// A visit is the time in which the phase of a bus meets a condition. Each run is a task that
/// exists before its visit and waits for it, so that the delivery that ends the visit can cancel
/// the task from the visit's first moment, and the arrival only has to resume it.
final class Visits: BusListener {
  private let condition: LifecyclePhase.Condition
  private let machine = Locked(
    VisitMachine<Task<Bool, any Error>, CheckedContinuation<Bool, Never>>()
  )

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
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> Bool {
    let runner = Task {
      guard await waitForStart(isolation: isolation) else { return false }
      // The visit may have ended before its runner has its turn.
      guard !Task.isCancelled else { return true }
      do { try await body() } catch is CancellationError where Task.isCancelled {}
      return true
    }
    perform(machine.withLock { $0.add(runner) })
    defer { _ = machine.withLock { $0.runnerDidReturn() } }
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

  func hear(_ event: LifecycleEvent) { note(event.phase) }

  func busDidEnd() { end() }

  private func note(_ phase: LifecyclePhase) {
    let isMet = condition.contains(phase)
    perform(machine.withLock { isMet ? $0.arrive() : $0.leave() })
  }

  private func waitForStart(isolation: isolated (any Actor)?) async -> Bool {
    await withCheckedContinuation(isolation: isolation) { continuation in
      perform(machine.withLock { $0.wait(continuation) })
    }
  }

  private func perform(
    _ action: VisitMachine<Task<Bool, any Error>, CheckedContinuation<Bool, Never>>.Action?
  ) {
    switch action {
    case .start(let waiter): waiter.resume(returning: true)
    case .finish(let waiter): waiter.resume(returning: false)
    case .cancel(let runner): runner.cancel()
    case nil: break
    }
  }
}
