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
  public func end(
    at kinds: LifecycleEvent.Kinds,
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    bus.core.end(core, at: kinds, site)
  }
}
