/// Lets runners in, one after the other, each on a visit of its own: a visit is a stay of the bus
/// on the wanted side, from arrival to leaving.
///
/// A runner is let in when it is known and waits, in either order: known, so that it can be
/// cancelled from its first moment inside.
struct VisitMachine<Runner: Sendable, Waiter: Sendable>: Sendable {
  enum Action: Sendable {
    case letIn(Waiter)
    case sendHome(Waiter)
    case cancel(Runner)
  }

  private enum Visit {
    case none
    /// Nobody has been let in yet.
    case open
    /// Somebody has been let in; nil once he is done.
    case used(by: Runner?)
  }

  private var visit = Visit.none
  /// The runner outside.
  private var runner: Runner?
  /// Whom to tell when it is let in.
  private var waiter: Waiter?
  private var isOver = false

  // MARK: The runner

  /// The next runner is known.
  mutating func admit(_ runner: Runner) -> Action? {
    self.runner = runner
    return letIn()
  }

  /// The next runner waits.
  mutating func wait(_ waiter: Waiter) -> Action? {
    guard !isOver else { return .sendHome(waiter) }
    self.waiter = waiter
    return letIn()
  }

  /// The runner is done. Returns what the caller has to release outside the lock.
  mutating func retire() -> Runner? {
    guard case .used(let runner) = visit else { return nil }
    visit = .used(by: nil)
    return runner
  }

  // MARK: The bus

  mutating func arrive() -> Action? {
    guard case .none = visit else { return nil }
    visit = .open
    return letIn()
  }

  mutating func leave() -> Action? {
    defer { visit = .none }
    guard case .used(let runner?) = visit else { return nil }
    return .cancel(runner)
  }

  /// Nobody is let in any more: the bus has ended, or the caller has been cancelled.
  mutating func end() -> Action? {
    isOver = true
    if let waiter = waiter.take() { return .sendHome(waiter) }
    return leave()
  }

  private mutating func letIn() -> Action? {
    guard case .open = visit, runner != nil, let waiter = waiter.take() else { return nil }
    visit = .used(by: runner.take())
    return .letIn(waiter)
  }
}
