/// The state of a task that a scope holds.
///
/// The scope may end, and the task finish, before the scope knows the task: the task's place in the
/// scope exists before the task starts.
struct ScopeTaskMachine<Runner: Sendable>: Sendable {
  private enum State: Sendable {
    case expected
    case running(Runner)
    case cancelled
    case finished
  }

  private var state = State.expected

  /// A Boolean value that indicates whether the scope has ended before the task has finished.
  var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// Records the task.
  ///
  /// - Returns: The task, if the caller must cancel it because the scope has ended.
  mutating func start(_ runner: Runner) -> Runner? {
    switch state {
    case .expected: state = .running(runner)
    case .cancelled: return runner
    case .running, .finished: break
    }
    return nil
  }

  /// Handles the end of the scope.
  ///
  /// - Returns: The task that the caller must cancel.
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

  /// Handles the end of the task. Returns the task for the caller to release outside the lock.
  mutating func finish() -> Runner? {
    defer { state = .finished }
    if case .running(let runner) = state { return runner }
    return nil
  }
}
