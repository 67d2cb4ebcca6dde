extension LifecycleScope {
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
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = ScopeTask(in: (consume self).core, site)
    let values = publisher.asyncSequence(buffering: policy, fileID: fileID, line: line)
    if entry.isCancelled { values.stopListening() }
    return entry.start(name, priority, from: isolation, operation, values)
  }

  /// Starts a task that receives the values of a stream of a bus, whose operation can throw.
  ///
  /// Like the method for an operation that can't throw, but the compiler warns if the result is
  /// unused, because the error would go unnoticed: the task keeps it.
  ///
  /// - Parameters:
  ///   - publisher: The stream.
  ///   - policy: The number of values that are kept while the task is busy, and which ones.
  ///   - name: The name of the task, for debuggers.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - isolation: The caller's actor.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  ///   - operation: Called with the sequence of the values. It runs on the caller's actor unless it
  ///     names another.
  /// - Returns: The task, which keeps the error that the operation throws.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
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
      sending @escaping @isolated(any) (LifecycleSequence<Output>) async throws -> Success
  ) -> Task<Success, any Error> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = ScopeTask(in: (consume self).core, site)
    let values = publisher.asyncSequence(buffering: policy, fileID: fileID, line: line)
    if entry.isCancelled { values.stopListening() }
    return entry.start(name, priority, from: isolation, operation, values)
  }
}
