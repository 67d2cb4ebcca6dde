/// The state of something that can be cancelled, such as a task that a scope holds.
///
/// Its holder may end, and the thing itself finish, before the holder knows it: its place exists
/// before it starts.
struct CancellationMachine<Runner: Sendable>: Sendable {
  private enum State: Sendable {
    case expected
    case running(Runner)
    case cancelled
    case finished
  }

  private var state = State.expected

  /// A Boolean value that indicates whether the holder has ended before the runner has finished.
  var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// Records the runner.
  ///
  /// - Returns: The runner, if the caller must cancel it because the holder has ended.
  mutating func start(_ runner: Runner) -> Runner? {
    switch state {
    case .expected: state = .running(runner)
    case .cancelled: return runner
    case .running, .finished: break
    }
    return nil
  }

  /// Handles the end of the holder.
  ///
  /// - Returns: The runner that the caller must cancel.
  mutating func end() -> Runner? {
    switch state {
    case .expected: state = .cancelled
    case .running(let runner):
      state = .cancelled
      return runner
    case .cancelled, .finished: break
    }
    return nil
  }

  /// Handles the end of the runner. Returns the runner for the caller to release outside the lock.
  mutating func finish() -> Runner? {
    defer { state = .finished }
    if case .running(let runner) = state { return runner }
    return nil
  }
}
