/// What becomes of one expiring activity. Pure.
///
/// The system calls the activity's block: once with `isExpired` false, and again with true when time is
/// up; or the first time with true, if it refuses. A block that has returned holds nothing any more.
package struct ExpiringActivityMachine: Hashable, Sendable {
  /// What a call of the block is to do.
  package enum Call: Hashable, Sendable {
    /// Return at once.
    case `return`
    /// Wait for the end.
    case wait
    /// Have the handler called, and wait for the end.
    case expire
  }

  private enum State: Hashable, Sendable {
    case open
    /// The handler is to be called.
    case expired
    /// The handler runs.
    case expiring
    case over
  }

  private var state = State.open

  package init() {}

  /// Whether time is left.
  package var isOpen: Bool { state == .open }

  /// The system calls the block.
  package mutating func call(isExpired: Bool) -> Call {
    switch state {
    case .open where isExpired:
      state = .expired
      return .expire
    case .open, .expired, .expiring: return .wait
    case .over: return .return
    }
  }

  /// The last task is ended.
  ///
  /// - Returns: Whether those that wait for the end may go: not while the handler runs.
  package mutating func end() -> Bool {
    guard state == .open || state == .expired else { return false }
    state = .over
    return true
  }

  /// - Returns: Whether there are handlers to be called.
  package mutating func beginHandler() -> Bool {
    guard state == .expired else { return false }
    state = .expiring
    return true
  }

  /// The handlers have returned, and that is the end: those that wait for it may go.
  package mutating func finishHandler() {
    state = .over
  }
}
