/// The state of one wait for a phase.
///
/// The first event decides: the arrival, whose work is performed once, or the end of the bus or of
/// the task.
struct ArrivalMachine<Waiter: Sendable, Outcome: Sendable>: Sendable {
  private enum State {
    case expected(Waiter?)
    case working(Waiter?)
    case settled(Outcome)
  }

  private var state = State.expected(nil)

  /// Handles the arrival of the phase.
  ///
  /// - Returns: True if the caller must perform the work now, and settle with its outcome.
  mutating func arrive() -> Bool {
    guard case .expected(let waiter) = state else { return false }
    state = .working(waiter)
    return true
  }

  /// Records the outcome of the work. Returns the waiter to resume with it.
  mutating func settle(_ outcome: Outcome) -> Waiter? {
    guard case .working(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// Prevents the work. Has no effect once it has begun.
  ///
  /// - Returns: The waiter to resume with the outcome.
  mutating func abandon(_ outcome: Outcome) -> Waiter? {
    guard case .expected(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// Adds the waiter to resume with the outcome, or returns the outcome if it is known already.
  mutating func wait(_ waiter: Waiter) -> Outcome? {
    switch state {
    case .expected: state = .expected(waiter)
    case .working: state = .working(waiter)
    case .settled(let outcome): return outcome
    }
    return nil
  }
}
