extension LifecycleBusProtocol {
  /// Waits until the phase meets a condition.
  ///
  /// If the phase meets it already, the call returns at once, without giving up the thread.
  /// Otherwise the caller continues in a later turn of its executor, when the phase may have
  /// changed again, or the process may have been suspended in between; work that depends on the
  /// phase belongs in `perform(when:)`. Thread-safe. The bus is not kept alive.
  ///
  /// ```swift
  /// try await bus.waitUntil(.atLeast(.active))
  /// ```
  ///
  /// With `.atMost(.terminated)` it waits for the end of the process, and returns after
  /// `willTerminate` has been delivered.
  ///
  /// - Parameter condition: The condition to wait for. A condition that every phase meets is
  ///   reported at the caller's line.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  /// - Throws: `CancellationError` if the task is cancelled before or while it waits, even if the
  ///   phase meets the condition; ``LifecycleBusEndedError`` if the bus ends first or has ended.
  public nonisolated(nonsending) consuming func waitUntil(
    _ condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    try await core.waitUntil(condition, site: site)
  }

  /// Runs an asynchronous body each time the phase begins to meet a condition, and cancels it when
  /// the phase no longer does, until the bus ends.
  ///
  /// The body runs on the concurrent executor; the method of ``LifecycleBus`` runs it on the main
  /// actor.
  ///
  /// - The body starts a turn of the executor after the event, or after the call if the phase meets
  ///   the condition already, and not at all if the phase has changed again by then.
  /// - The body is cancelled inside the delivery: its cancellation handlers have run when the
  ///   event's delivery ends. The rest of its clean-up takes turns of the executor.
  /// - The next run waits for that clean-up: there are never two at once. A body that returns
  ///   before it is cancelled runs again the next time.
  /// - The body has the caller's task-local values and priority. The bus is not kept alive.
  /// - A body that may run until the end, as with `.atMost(.background)`, is cancelled after
  ///   `willTerminate`.
  ///
  /// ```swift
  /// try await bus.repeatWhile(.atLeast(.background)) {
  ///   try await server.acceptConnections()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - condition: The phases to run in. A condition that every phase meets, and
  ///     `.atMost(.terminated)`, which leaves no time for a body, are reported at the caller's
  ///     line.
  ///   - body: The work. A `CancellationError` that it throws after it was cancelled is its normal
  ///     end.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Throws: The errors of the body, which does not run again; `CancellationError` if the calling
  ///   task is cancelled, after the body's clean-up.
  @_disfavoredOverload
  @concurrent
  public consuming func repeatWhile(
    _ condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    try await core.repeatWhile(condition, site: site, body)
  }

  /// Runs a synchronous closure once, inside the delivery of the event that makes the phase meet a
  /// condition, and returns its value.
  ///
  /// If the phase meets the condition already and nothing is being delivered, the closure runs at
  /// once, before this call returns: on the calling thread, or on the main actor for a
  /// ``LifecycleBus``. Otherwise it runs on the thread that delivers the event, and returns before
  /// the delivery ends, and so before the process may be suspended. The phase does not change while
  /// the closure runs. The bus is not kept alive.
  ///
  /// ```swift
  /// let port = try await bus.perform(when: .atLeast(.background)) { try server.open() }
  /// ```
  ///
  /// - Parameters:
  ///   - condition: The condition to wait for. A condition that every phase meets is reported at
  ///     the caller's line.
  ///   - body: The work. Once it has begun, its result is returned even if the task is cancelled
  ///     meanwhile.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Throws: The errors of the body. Without running it: `CancellationError` if the task is
  ///   cancelled before, ``LifecycleBusEndedError`` if the bus ends first or has ended.
  @_disfavoredOverload
  public nonisolated(nonsending) consuming func perform<Value: Sendable>(
    when condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    return try await core.perform(when: condition, site: site, body)
  }
}
