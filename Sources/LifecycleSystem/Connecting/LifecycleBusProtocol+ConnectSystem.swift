public import ReactiveLifecycle

extension LifecycleBusProtocol {
  /// Connects the sources of this module until a scope ends.
  ///
  /// They are ``SystemClockSource``, ``ProcessPauseSource`` and ``MemoryPressureSource``. A source
  /// that lacks what it needs on this machine reports nothing, save the pauses by `SIGSTOP`.
  ///
  /// ```swift
  /// let bus = LifecycleBus()
  /// try bus.connect(.processSignals()).store(in: scope)
  /// print(try bus.connectSystem(in: scope))
  /// ```
  ///
  /// ```text
  /// systemClock: available, by a timer of the kernel
  /// processPauses: unavailable, because the topmost control group is never frozen, and there is no heartbeat
  /// memoryPressure: available, by the control group
  /// ```
  ///
  /// - Parameters:
  ///   - scope: The scope whose end disconnects the sources.
  ///   - heartbeat: The interval at which ``ProcessPauseSource`` wakes the process; nil for none.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: What each source can report, for a log.
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
  ///   None is connected then.
  @discardableResult
  public func connectSystem(
    in scope: LifecycleScope,
    heartbeat: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws -> SystemConnections {
    let sources: [any SystemSource] = [
      .systemClock(), .processPauses(heartbeat: heartbeat), .memoryPressure(),
    ]
    let connections = try sources.map { try connect($0) }
    for connection in connections {
      connection.store(in: scope, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    return SystemConnections(
      entries: sources.map { .init(source: $0.name, availability: $0.availability) }
    )
  }
}
