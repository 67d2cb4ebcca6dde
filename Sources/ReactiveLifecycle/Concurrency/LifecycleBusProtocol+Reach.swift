extension LifecycleBusProtocol {
  /// Waits until the phase is at least a given one.
  ///
  /// Returns at once, without giving up the thread, if the phase is there. Otherwise the caller
  /// goes on in a later turn of its executor, when the phase may have changed again; what must
  /// happen while the phase is certain belongs into `runOnce`. Any thread or actor. The bus is not
  /// kept alive.
  ///
  /// ```swift
  /// try await bus.reach(.active)
  /// ```
  ///
  /// - Parameter phase: The phase that is enough. The condition is always met for `terminated` and
  ///   `unknown`, which are reported at the caller's line. To wait for the end, use
  ///   `reach(atMost: .terminated)`.
  /// - Throws: `CancellationError` if the task is cancelled while waiting or was before, even if
  ///   the phase is there; ``LifecycleBusEndedError`` if the bus ends first or has ended.
  public nonisolated(nonsending) consuming func reach(
    _ phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    try await core.reach(.atLeast(phase), site)
  }

  /// Waits until the phase is at most a given one.
  ///
  /// Returns at once, without giving up the thread, if the phase is there. Otherwise the caller
  /// goes on in a later turn of its executor, when the phase may have changed again, or the process
  /// may have been suspended in between. Any thread or actor. The bus is not kept alive.
  ///
  /// ```swift
  /// try await bus.reach(atMost: .background)
  /// ```
  ///
  /// - Parameter phase: The phase that is far enough back. `unknown`, before the launch, comes before
  ///   `background`; `terminated` is reached when `willTerminate` is delivered. `active`, for which the
  ///   condition is always met, is reported at the caller's line.
  /// - Throws: `CancellationError` if the task is cancelled while waiting or was before, even if
  ///   the phase is there; ``LifecycleBusEndedError`` if the bus ends first or has ended.
  public nonisolated(nonsending) consuming func reach(
    atMost phase: LifecyclePhase,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core.core
    try await core.reach(.atMost(phase), site)
  }
}
