/// Starts runners, one after the other, each on a separate visit. A visit is the time in which
/// the phase of the bus meets the condition without interruption.
///
/// A runner starts when it is known and waits, in either order: known, so that it can be cancelled
/// from its first moment.
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

  /// The next runner is known.
  mutating func add(_ runner: Runner) -> Action? {
    nextRunner = runner
    return startIfPossible()
  }

  /// The next runner waits.
  mutating func wait(_ waiter: Waiter) -> Action? {
    guard !hasEnded else { return .finish(waiter) }
    self.waiter = waiter
    return startIfPossible()
  }

  /// The runner has returned. Returns what the caller has to release outside the lock.
  mutating func runnerDidReturn() -> Runner? {
    guard case .used(let runner) = visit else { return nil }
    visit = .used(by: nil)
    return runner
  }

  // MARK: The bus

  /// The phase begins to meet the condition, or still does.
  mutating func arrive() -> Action? {
    guard case .none = visit else { return nil }
    visit = .open
    return startIfPossible()
  }

  /// The phase does not meet the condition.
  mutating func leave() -> Action? {
    defer { visit = .none }
    guard case .used(let runner?) = visit else { return nil }
    return .cancel(runner)
  }

  /// Starts no further runner: the bus has ended, or the caller has been cancelled.
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
