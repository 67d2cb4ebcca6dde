extension Task {
  /// Stores the task in a scope, which cancels it when it ends.
  ///
  /// The scope releases the task after it has finished. If the scope has ended, the task is
  /// cancelled at once, and this is reported at the caller's line.
  ///
  /// ```swift
  /// Task(executorPreference: executor) { await indexer.run() }.store(in: scope)
  /// ```
  ///
  /// A second task waits for the end of this one. For a new task, `task` of the scope does without.
  ///
  /// - Parameters:
  ///   - scope: The scope whose end cancels the task.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  public func store(
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = ScopeTask(in: (consume scope).core, site)
    entry.hold(self)
    guard !entry.isCancelled else { return }
    // Of the lowest priority, so that waiting raises the task's priority in no case.
    Task<Void, Never>.detached(priority: .background) {
      _ = await self.result
      entry.finish()
    }
  }
}
