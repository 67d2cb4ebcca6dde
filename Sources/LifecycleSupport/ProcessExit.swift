/// Actions at the ordinary end of the process: `exit`, or a return from `main`.
///
/// They are not called at `_exit`, nor when a signal ends the process. A child process by `fork`
/// ends separately, and calls its own actions only.
package enum ProcessExit {
  private struct State {
    var actions: [Int: (process: pid_t, body: @Sendable () -> Void)] = [:]
    var count = 0
  }

  private static let state = Locked(State())
  /// The process that has added an action last. A child without actions must not take the lock,
  /// which may have been held by a thread that the child does not have.
  private static let owner = Atomic(0)
  private static let registration: Void = { _ = atexit { ProcessExit.perform() } }()

  /// Adds an action.
  ///
  /// - Parameter body: Called without a lock, on the thread that ends the process. Other threads
  ///   still run.
  /// - Returns: The number of the action.
  @discardableResult
  package static func add(_ body: @escaping @Sendable () -> Void) -> Int {
    registration
    let process = getpid()
    owner.store(Int(process), ordering: .releasing)
    return state.withLock { state in
      state.count += 1
      state.actions[state.count] = (process, body)
      return state.count
    }
  }

  /// Removes an action, which may be under way.
  package static func remove(_ number: Int) {
    state.discard { $0.actions.removeValue(forKey: number) }
  }

  /// An action that each process adds once, the first time that it needs it.
  package final class Action: Sendable {
    private let process = Locked<pid_t>(0)
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Adds the action, unless this process has added it.
    package func add() {
      if process.exchange(getpid()) != getpid() { ProcessExit.add(body) }
    }
  }

  private static func perform() {
    let process = getpid()
    guard owner.load(ordering: .acquiring) == Int(process) else { return }
    let actions = state.withLock { state in
      defer { state.actions = [:] }
      return state.actions
    }
    for (owner, body) in actions.values where owner == process { body() }
  }
}
