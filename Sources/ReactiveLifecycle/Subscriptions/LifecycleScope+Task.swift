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
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = ScopeTask(in: (consume self).core, site)
    return entry.start(name, priority, from: isolation, operation)
  }

  /// Starts a task whose operation can throw, and which is cancelled when the scope ends.
  ///
  /// Like the method for an operation that can't throw, but the compiler warns if the result is
  /// unused, because the error would go unnoticed: the task keeps it. Handle errors in the
  /// operation, or await the task's value.
  ///
  /// ```swift
  /// let upload = scope.task { try await client.upload(report) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the task, for debuggers.
  ///   - priority: The priority of the task; nil for the caller's.
  ///   - isolation: The caller's actor.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  ///   - operation: The work, which runs on the caller's actor unless it names another.
  /// - Returns: The task, which keeps the error that the operation throws.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = ScopeTask(in: (consume self).core, site)
    return entry.start(name, priority, from: isolation, operation)
  }
}
