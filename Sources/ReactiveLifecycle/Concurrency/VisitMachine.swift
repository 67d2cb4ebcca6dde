/// A state machine that starts runners, one after the other, each on a separate visit.
///
/// A visit is the time in which the phase of the bus meets the condition without interruption. A
/// runner starts once it has been added and waits, in either order. It must have been added so that
/// it can be cancelled from its first moment.
struct VisitMachine<Runner: Sendable, Waiter: Sendable>: Sendable {
  enum Action: Sendable {
    case start(Waiter)
    /// There is no next visit.
    case finish(Waiter)
    case cancel(Runner)
  }

  private enum Visit {
    case none
    /// No runner has started yet.
    case open
    /// A runner has started; nil once it has returned.
    case used(by: Runner?)
  }

  private var visit = Visit.none
  /// The next runner, which has not started.
  private var nextRunner: Runner?
  /// Resumed when the next runner starts.
  private var waiter: Waiter?
  private var hasEnded = false

  // MARK: The runner

  /// Adds the next runner.
  mutating func add(_ runner: Runner) -> Action? {
    nextRunner = runner
    return startIfPossible()
  }

  /// Adds the waiter of the next runner.
  mutating func wait(_ waiter: Waiter) -> Action? {
    guard !hasEnded else { return .finish(waiter) }
    self.waiter = waiter
    return startIfPossible()
  }

  /// Removes the runner that has returned. Returns it for the caller to release outside the lock.
  mutating func runnerDidReturn() -> Runner? {
    guard case .used(let runner) = visit else { return nil }
    visit = .used(by: nil)
    return runner
  }

  // MARK: The bus

  /// Opens a visit, unless there is one: the phase meets the condition.
  mutating func arrive() -> Action? {
    guard case .none = visit else { return nil }
    visit = .open
    return startIfPossible()
  }

  /// Ends the visit: the phase does not meet the condition.
  mutating func leave() -> Action? {
    defer { visit = .none }
    guard case .used(let runner?) = visit else { return nil }
    return .cancel(runner)
  }

  /// Prevents further runners: the bus has ended, or the caller has been cancelled.
  mutating func end() -> Action? {
    hasEnded = true
    if let waiter = waiter.take() { return .finish(waiter) }
    return leave()
  }

  private mutating func startIfPossible() -> Action? {
    guard case .open = visit, nextRunner != nil, let waiter = waiter.take() else { return nil }
    visit = .used(by: nextRunner.take())
    return .start(waiter)
  }
}
