/// Actions at the ordinary end of the process: `exit`, or a return from `main`.
///
/// They are not called at `_exit`, nor when a signal ends the process. A child process by `fork`
/// ends separately, and calls its own actions only.
package enum ProcessExit {
  /// The order of actions.
  package enum Stage: CaseIterable, Sendable {
    /// Ends what delays the end of the process by a signal until the program is done.
    case release
    /// Waits for the end of the process by a signal, if that is under way.
    case wait
    /// Records the exit.
    case record
    /// Waits as before, or makes the exit final.
    case seal
  }

  private struct Entry {
    let number: Int
    let stage: Stage
    let process: pid_t
    let body: @Sendable () -> Void
  }

  private struct State {
    var actions: [Entry] = []
    var count = 0
  }

  private static let state = Locked(State())
  /// The process that has added an action last. A child without actions must not take the lock,
  /// which may have been held by a thread that the child does not have.
  private static let owner = Atomic(0)
  /// Each thread that calls `exit` takes one handler. One that found none would end the process
  /// while another performs the actions, so there are as many as threads that may call at a time.
  private static let registration: Void = {
    for _ in 0..<4 { atexit { ProcessExit.perform() } }
  }()

  /// Adds an action.
  ///
  /// - Parameter body: Called without a lock, on the thread that ends the process. Other threads
  ///   still run.
  /// - Returns: The number of the action.
  @discardableResult
  package static func add(
    at stage: Stage = .record,
    _ body: @escaping @Sendable () -> Void
  ) -> Int {
    registration
    let process = getpid()
    owner.store(Int(process), ordering: .releasing)
    return state.withLock { state in
      state.count += 1
      state.actions.append(
        Entry(number: state.count, stage: stage, process: process, body: body)
      )
      return state.count
    }
  }

  /// Removes an action, which may be under way.
  package static func remove(_ number: Int) {
    state.discard { state in
      state.actions.firstIndex { $0.number == number }.map { state.actions.remove(at: $0) }
    }
  }

  /// An action that each process adds once, the first time that it needs it.
  package final class Action: Sendable {
    private let process = Locked<pid_t>(0)
    private let stage: Stage
    private let body: @Sendable () -> Void

    package init(at stage: Stage = .record, _ body: @escaping @Sendable () -> Void) {
      self.stage = stage
      self.body = body
    }

    /// Adds the action, unless this process has added it.
    package func add() {
      if process.exchange(getpid()) != getpid() { ProcessExit.add(at: stage, body) }
    }
  }

  private static func perform() {
    let process = getpid()
    guard owner.load(ordering: .acquiring) == Int(process) else { return }
    for stage in Stage.allCases {
      let entries = state.withLock { state in
        let entries = state.actions.filter { $0.stage == stage }
        // The others are performed once, whatever they do.
        if stage != .wait { state.actions.removeAll { $0.stage == stage } }
        return entries
      }
      for entry in entries where entry.process == process { entry.body() }
    }
  }

  /// Waits for a signal to end the process, on the thread that performs the actions.
  ///
  /// - Parameter turn: Called again and again.
  package static func awaitSignal(_ turn: () -> Void) -> Never {
    // In place of the handler that this thread has taken.
    _ = atexit { ProcessExit.perform() }
    while true {
      turn()
      usleep(10_000)
    }
  }
}
