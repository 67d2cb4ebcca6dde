extension LifecycleScope {
  /// Runs a closure when the scope ends, in its turn: everything that the scope holds ends in
  /// reverse order of insertion.
  ///
  /// The closure runs once, on the thread that ends the scope. If the scope has ended, the closure
  /// runs at once, and this is reported at the caller's line. Thread-safe.
  ///
  /// ```swift
  /// let connection = try server.open()
  /// scope.onEnd { connection.close() }
  /// ```
  ///
  /// For a closure that also runs when it is cancelled, or when its last reference is released,
  /// store a ``LifecycleCancellable`` instead.
  ///
  /// - Parameters:
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  ///   - body: Called at the end of the scope.
  /// - Returns: A cancellable that takes the closure back without running it; releasing it has no
  ///   effect.
  /// - Complexity: O(1) amortized.
  @discardableResult
  public consuming func onEnd(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    return EndAction.add(to: core, site, body)
  }
}
