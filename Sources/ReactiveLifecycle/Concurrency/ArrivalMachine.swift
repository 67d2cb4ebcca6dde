/// One wait for a phase. Whatever comes first decides it: the arrival, whose work is done once, or
/// something that makes the wait pointless.
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

  /// The work is done. Returns who is to be told the outcome.
  mutating func settle(_ outcome: Outcome) -> Waiter? {
    guard case .working(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// The work must not be done any more; too late once it has begun. Returns who is to be told the
  /// outcome.
  mutating func abandon(_ outcome: Outcome) -> Waiter? {
    guard case .expected(let waiter) = state else { return nil }
    state = .settled(outcome)
    return waiter
  }

  /// Notes who is to be told the outcome. Returns the outcome instead, if it is known already.
  mutating func wait(_ waiter: Waiter) -> Outcome? {
    switch state {
    case .expected: state = .expected(waiter)
    case .working: state = .working(waiter)
    case .settled(let outcome): return outcome
    }
    return nil
  }
}
