/// The state machine of one answer to a system that asks whether a process may end: returned at
/// once if it is known by then, else given later.
struct TerminationReplyMachine: Sendable {
  private enum State {
    case asking
    case answered(Bool)
    case late
  }

  private var state = State.asking

  /// Records the answer.
  ///
  /// - Returns: Whether the caller gives it to the system now.
  mutating func answer(_ mayEnd: Bool) -> Bool {
    if case .late = state { return true }
    state = .answered(mayEnd)
    return false
  }

  /// Returns the answer; nil if it is given later.
  mutating func returnNow() -> Bool? {
    if case .answered(let mayEnd) = state { return mayEnd }
    state = .late
    return nil
  }
}
