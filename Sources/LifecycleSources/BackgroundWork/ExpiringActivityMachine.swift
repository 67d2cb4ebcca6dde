/// A state machine for one expiring activity.
///
/// It is pure: it makes no system calls. The system calls the activity's block once with
/// `isExpired` false, and again with true when time is up; if the system refuses the activity, the
/// first call passes true. A block that has returned no longer keeps the process running.
package struct ExpiringActivityMachine: Hashable, Sendable {
  /// The response to a call of the block.
  package enum Call: Hashable, Sendable {
    /// Return at once.
    case `return`
    /// Wait for the end.
    case wait
    /// Call the handler, and wait for the end.
    case expire
  }

  private enum State: Hashable, Sendable {
    case open
    /// The handler has not been called yet.
    case expired
    /// The handler is running.
    case expiring
    case over
  }

  private var state = State.open

  package init() {}

  /// A Boolean value that indicates whether time is left.
  package var isOpen: Bool { state == .open }

  /// Records that the system calls the block.
  package mutating func call(isExpired: Bool) -> Call {
    switch state {
    case .open where isExpired:
      state = .expired
      return .expire
    case .open, .expired, .expiring: return .wait
    case .over: return .return
    }
  }

  /// Records that the last task has ended.
  ///
  /// - Returns: True if those that wait for the end may return; false while the handler runs.
  package mutating func end() -> Bool {
    guard state == .open || state == .expired else { return false }
    state = .over
    return true
  }

  /// Records that the handlers start to run.
  ///
  /// - Returns: True if there are handlers to call.
  package mutating func beginHandler() -> Bool {
    guard state == .expired else { return false }
    state = .expiring
    return true
  }

  /// Records that the handlers have returned, which is the end: those that wait for it may return.
  package mutating func finishHandler() {
    state = .over
  }
}
