import LifecycleSupport

extension LifecycleScope {
  /// Starts a task that is cancelled when the scope ends.
  ///
  /// The task is one that `Task.init` creates: it has the caller's actor, priority and task-local
  /// values. When it finishes, the scope releases it. If the scope has ended, the task is cancelled
  /// before its operation begins, and this is reported at the caller's line. Thread-safe.
  ///
  /// ```swift
  /// scope.task { [weak self] in await self?.load() }
  /// ```
  ///
  /// An operation that captures the scope's owner keeps the owner alive until the operation ends.
  /// To receive the values of a bus, use `task(for:)`, which loses none before the task starts.
  ///
  /// - Parameters:
  ///   - name: The name of the task, for debuggers.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - isolation: The caller's actor.
  ///   - operation: The work, which runs on the caller's actor unless it names another.
  /// - Returns: The task.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  @discardableResult
  public consuming func task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @_inheritActorContext operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    let site = CallSite(fileID, filePath, line, column)
    let entry = ScopeTask(in: (consume self).core, site)
    return entry.start(name, priority, from: isolation, operation)
  }

  /// Starts a task whose operation can throw, and which is cancelled when the scope ends.
  ///
  /// Like the method for an operation that can't throw. The task keeps an error for those who await
  /// its value. If no code does, handle errors in the operation: they go unnoticed otherwise.
  ///
  /// ```swift
  /// let upload = scope.task { try await client.upload(report) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the task, for debuggers.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - isolation: The caller's actor.
  ///   - operation: The work, which runs on the caller's actor unless it names another.
  /// - Returns: The task, which keeps the error that the operation throws.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  @discardableResult
  public consuming func task<Success: Sendable>(
    name: String? = nil,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @_inheritActorContext operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    let site = CallSite(fileID, filePath, line, column)
    let entry = ScopeTask(in: (consume self).core, site)
    return entry.start(name, priority, from: isolation, operation)
  }

  /// Starts a task that receives the values of a stream of a bus, and is cancelled when the scope
  /// ends.
  ///
  /// The subscription begins with this call: the task receives every value from now on, also those
  /// that are sent before it first runs. A `Task { … }` that subscribes in its first line misses
  /// them.
  ///
  /// ```swift
  /// scope.task(for: bus.events) { [weak self] events in
  ///   for await event in events { self?.note(event.kind) }
  /// }
  /// ```
  ///
  /// The loop ends with the scope, and when the bus ends; neither the scope nor the bus is kept
  /// alive. A loop body runs a turn of the executor after its event; see <doc:WhereObserversRun>.
  /// If the scope has ended, the loop receives nothing, and this is reported at the caller's line.
  /// Thread-safe.
  ///
  /// Capture the scope's owner weakly, and retain it inside the loop only: a `guard let self`
  /// before the loop keeps it alive until the loop ends.
  ///
  /// - Parameters:
  ///   - publisher: The stream.
  ///   - policy: The number of values that are kept while the task is busy, and which ones.
  ///   - name: The name of the task, for debuggers.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - isolation: The caller's actor.
  ///   - operation: Called with the sequence of the values. It runs on the caller's actor unless it
  ///     names another.
  /// - Returns: The task.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  @discardableResult
  public consuming func task<Output: Sendable, Success: Sendable>(
    for publisher: LifecyclePublisher<Output>,
    buffering policy: AsyncStream<Output>.Continuation.BufferingPolicy = .unbounded,
    name: String? = nil,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @_inheritActorContext operation:
      sending @escaping @isolated(any) (LifecycleSequence<Output>) async -> Success
  ) -> Task<Success, Never> {
    let site = CallSite(fileID, filePath, line, column)
    let entry = ScopeTask(in: (consume self).core, site)
    let values = LifecycleSequence { publisher.listener(buffering: policy, site) }
    if entry.isCancelled { values.stopListening() }
    return entry.start(name, priority, from: isolation, operation, values)
  }
}

/// The place of a task in a scope, which cancels the task when it ends. The task gives up the place
/// when it finishes.
///
/// `@unchecked Sendable`: a lock guards the machine; `membership` is set when the scope adds the
/// place, before any other code knows it, and is read-only afterwards.
final class ScopeTask: ScopeEntry, @unchecked Sendable {
  private let machine = Locked(CancellationMachine<@Sendable () -> Void>())
  private var membership: ScopeMembership?
  let site: CallSite
  /// The call of an observer in which the task was started in a child scope.
  let call: ObserverCall?

  /// Takes a place in a scope. If the scope has ended, this is reported at the caller's line.
  init(in scope: ScopeCore, _ site: CallSite) {
    self.site = site
    call = scope.runningCallInParent
    super.init()
    scope.insert(site) { membership in
      self.membership = membership
      return self
    }
  }

  /// A Boolean value that indicates whether the scope has ended before the task has finished.
  var isCancelled: Bool { machine.withLock { $0.isCancelled } }

  override func end() {
    machine.withLock { $0.end() }?()
  }

  private func hold<Success, Failure>(_ task: Task<Success, Failure>) {
    // Made, and released, outside the lock.
    let cancel: @Sendable () -> Void = { task.cancel() }
    machine.withLock { $0.start(cancel) }?()
  }

  private func finish() {
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

  func start<Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    from isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    let task =
      Self.isIsolated(operation, to: isolation)
      ? run(name, priority, on: isolation, operation) : run(name, priority, on: nil, operation)
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

  private func run<Success: Sendable>(
    _ name: String?,
    _ priority: TaskPriority?,
    on isolation: isolated (any Actor)?,
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(name: name, priority: priority) {
      _ = isolation
      begin()
      defer { finish() }
      return try await operation()
    }
  }

  /// Cancels the calling task if the scope has ended, so that the operation is cancelled from its
  /// first moment.
  private func begin() {
    guard isCancelled else { return }
    withUnsafeCurrentTask { $0?.cancel() }
  }
}

/// The state of something that can be cancelled, such as the task of a scope.
///
/// Its holder may end, and the thing itself finish, before the holder knows it: its place exists
/// before it starts.
package struct CancellationMachine<Runner: Sendable>: Sendable {
  private enum State: Sendable {
    case expected
    case running(Runner)
    case cancelled
    case finished
  }

  private var state = State.expected

  package init() {}

  /// A Boolean value that indicates whether the holder has ended before the runner has finished.
  var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// Records the runner.
  ///
  /// - Returns: The runner, if the caller must cancel it because the holder has ended.
  package mutating func start(_ runner: Runner) -> Runner? {
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
  package mutating func end() -> Runner? {
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
