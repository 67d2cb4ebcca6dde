import LifecycleSupport

/// A listener that waits for a phase on behalf of one task, and performs the task's work inside the
/// delivery that brings the phase.
final class Arrival<Value: Sendable>: BusListener {
  private typealias Outcome = Result<Value, any Error>

  private let condition: LifecyclePhase.Condition
  private let work: @Sendable () throws -> Value
  private let machine = Locked(ArrivalMachine<CheckedContinuation<Value, any Error>, Outcome>())

  init(_ condition: LifecyclePhase.Condition, work: @escaping @Sendable () throws -> Value) {
    self.condition = condition
    self.work = work
  }

  /// Returns the result of the work, once it has been performed.
  ///
  /// - Throws: The error of the work, or the reason why it was not performed.
  func value(isolation: isolated (any Actor)?) async throws -> Value {
    try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
      let outcome = machine.withLock { $0.wait(continuation) }
      if let outcome { continuation.resume(with: outcome) }
    }
  }

  /// Throws the error to the task, unless the work has begun.
  func abandon(_ error: any Error) {
    let outcome = Outcome.failure(error)
    let waiter = machine.withLock { $0.abandon(outcome) }
    waiter?.resume(with: outcome)
  }

  func join(at delivered: DeliveredState) {
    // The phase of a bus that is ending or has ended does not count: `busDidEnd` comes next.
    if delivered.phase != .terminated { note(delivered.phase) }
  }

  func hear(_ event: LifecycleEvent) { note(event.phase) }

  func busDidEnd() { abandon(LifecycleBusEndedError(condition)) }

  private func note(_ phase: LifecyclePhase) {
    guard condition.contains(phase), machine.withLock({ $0.arrive() }) else { return }
    let outcome = Outcome(catching: work)
    let waiter = machine.withLock { $0.settle(outcome) }
    waiter?.resume(with: outcome)
  }
}
