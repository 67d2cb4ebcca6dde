import LifecycleSupport

/// The place of a task in a scope, which cancels the task when it ends. The task gives up the place
/// when it finishes.
///
/// `@unchecked Sendable`: a lock guards the machine; `membership` is set when the scope adds the
/// place, before any other code knows it, and is read-only afterwards.
final class ScopeTask: ScopeEntry, @unchecked Sendable {
  private let machine = Locked(CancellationMachine<@Sendable () -> Void>())
  private var membership: ScopeMembership?

  /// Takes a place in a scope. If the scope has ended, this is reported at the caller's line.
  init(in scope: ScopeCore, _ site: CallSite) {
    super.init()
    scope.insert(site) { membership in
      self.membership = membership
      return self
    }
  }

  /// A Boolean value that indicates whether the scope has ended before the task has finished.
  var isCancelled: Bool { machine.withLock { $0.isCancelled } }

  override func scopeDidEnd() {
    machine.withLock { $0.end() }?()
  }

  /// Holds a task that exists already.
  func hold<Success, Failure>(_ task: Task<Success, Failure>) {
    // Made, and released, outside the lock.
    let cancel: @Sendable () -> Void = { task.cancel() }
    machine.withLock { $0.start(cancel) }?()
  }

  func finish() {
    machine.discard { $0.finish() }
    membership?.withdraw()
  }

  /// Starts a task and holds it.
  ///
  /// - Parameter isolation: The caller's actor, on which the task starts if the operation belongs
  ///   to it, so that the operation starts without a further turn.
  func start<each Input: Sendable, Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    from isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) (repeat each Input) async -> Success,
    _ input: repeat each Input
  ) -> Task<Success, Never> {
    let task =
      Self.isIsolated(operation, to: isolation)
      ? run(name, priority, on: isolation, operation, repeat each input)
      : run(name, priority, on: nil, operation, repeat each input)
    hold(task)
    return task
  }

  func start<each Input: Sendable, Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    from isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) (repeat each Input) async throws -> Success,
    _ input: repeat each Input
  ) -> Task<Success, any Error> {
    let task =
      Self.isIsolated(operation, to: isolation)
      ? run(name, priority, on: isolation, operation, repeat each input)
      : run(name, priority, on: nil, operation, repeat each input)
    hold(task)
    return task
  }

  // A function that is not isolated itself: in an isolated one, the compiler crashes (Swift 6.3.1).
  private static func isIsolated<each Input, Success>(
    _ operation: @isolated(any) (repeat each Input) async throws -> Success,
    to actor: (any Actor)?
  ) -> Bool {
    operation.isolation === actor
  }

  private func run<each Input: Sendable, Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    on isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) (repeat each Input) async -> Success,
    _ input: repeat each Input
  ) -> Task<Success, Never> {
    Task(name: name, priority: priority) {
      _ = isolation
      begin()
      defer { finish() }
      return await operation(repeat each input)
    }
  }

  private func run<each Input: Sendable, Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    on isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) (repeat each Input) async throws -> Success,
    _ input: repeat each Input
  ) -> Task<Success, any Error> {
    Task(name: name, priority: priority) {
      _ = isolation
      begin()
      defer { finish() }
      return try await operation(repeat each input)
    }
  }

  /// Cancels the calling task if the scope has ended, so that the operation is cancelled from its
  /// first moment.
  private func begin() {
    guard isCancelled else { return }
    withUnsafeCurrentTask { $0?.cancel() }
  }
}
