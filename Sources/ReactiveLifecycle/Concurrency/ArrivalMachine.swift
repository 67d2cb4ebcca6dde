/// One wait for a phase. The first event decides: the arrival, whose work is done once, or the end
/// of the bus or of the task.
struct ArrivalMachine<Waiter: Sendable, Outcome: Sendable>: Sendable {
  private enum State {
    case expected(Waiter?)
    case working(Waiter?)
    case settled(Outcome)
  }

  private var state = State.expected(nil)

  /// The phase is there.
  ///
  /// - Returns: Whether the caller must do the work now, and settle with what comes of it.
  mutating func arrive() -> Bool {
    guard case .expected(let waiter) = state else { return false }
    state = .working(waiter)
    return true
  }

  /// The work is done. Returns the waiter to resume with the outcome.
  mutating func settle(_ outcome: Outcome) -> Waiter? {
    guard case .working(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// The work must no longer be done; has no effect once it has begun. Returns the waiter to resume
  /// with the outcome.
  mutating func abandon(_ outcome: Outcome) -> Waiter? {
    guard case .expected(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// Adds the waiter to resume with the outcome. Returns the outcome instead if it is known
  /// already.
  mutating func wait(_ waiter: Waiter) -> Outcome? {
    switch state {
    case .expected: state = .expected(waiter)
    case .working: state = .working(waiter)
    case .settled(let outcome): return outcome
    }
    return nil
  }
}
