extension LifecycleScope {
  /// Ends the scope at the next event of one of the kinds: after that event has reached every
  /// observer, and before the next event.
  ///
  /// If the bus ends without such an event, or the list is empty, the scope ends after the streams
  /// of the bus have finished.
  ///
  /// ```swift
  /// scope.end(at: [.didEnterBackground, .willTerminate], of: bus)
  /// ```
  ///
  /// If the scope has ended, this is reported at the caller's line and has no other effect. If the
  /// bus has ended, the scope ends at once.
  public consuming func end(
    at kinds: LifecycleEvent.Kinds,
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    bus.core.end((consume self).core, at: kinds, site)
  }

  /// Ends the scope when the phase of a bus meets a condition: after the event that makes the phase
  /// meet it has reached every observer, and before the next event.
  ///
  /// If the phase meets the condition already, the scope ends at once, on the calling thread. The
  /// phase before the launch, `unknown`, meets no condition, and with `.background` and
  /// `.atMost(_:)` the way up from there ends nothing: a scope that is created at the start of the
  /// process, with `.background`, ends when the process leaves the foreground, not with the launch.
  ///
  /// ```swift
  /// scope.end(when: .background, of: bus)
  /// ```
  ///
  /// To wait for the next event whatever the phase is now, use
  /// ``end(at:of:fileID:filePath:line:column:)``. If the bus ends before the phase meets the
  /// condition, the scope ends after the streams of the bus have finished; if the bus has ended, at
  /// once. If the scope has ended, this is reported at the caller's line and has no other effect.
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - condition: The phases that end the scope. A condition that every phase meets is reported
  ///     at the caller's line.
  ///   - bus: The bus.
  public consuming func end(
    when condition: LifecyclePhase.Condition,
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    bus.core.end((consume self).core, when: condition, site)
  }
}
