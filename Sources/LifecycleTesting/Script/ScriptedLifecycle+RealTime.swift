import ReactiveLifecycle

/// The same scripts against the clocks of the system: that virtual time tells the truth.
extension ScriptedLifecycle where Bus == LifecycleBus {
  /// A process in real time. Its ``clock`` is not used: only steps that let time pass while the process
  /// runs are possible, and ``performInRealTime(_:)`` performs them.
  @MainActor
  package static func inRealTime(
    style: LifecycleTranscript.Style,
    onLaunch: @escaping (ScriptedLifecycle) throws -> Void = { _ in }
  ) -> ScriptedLifecycle {
    ScriptedLifecycle(
      ManualClock(),
      style,
      files: InMemoryFileSystem(),
      elapsed: { SystemLifecycleClock().continuous },
      makeBus: { LifecycleBus() },
      onLaunch: onLaunch
    )
  }

  /// Lets the steps happen, each when its time has come.
  ///
  /// - Returns: How late the latest of them was.
  @MainActor
  package func performInRealTime(
    _ steps: [LifecycleStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws -> Duration {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    var due = ContinuousClock.now
    var lateness = Duration.zero
    for step in steps {
      for action in begin(step, site) ?? [] {
        switch action {
        case .pass(.zero, _): break
        case .pass(let duration, .running):
          due += duration
          try await Task.sleep(until: due, clock: .continuous)
          lateness = max(lateness, due.duration(to: .now))
        case .pass, .setWallClock: site.report("The step \(step) needs a manual clock.")
        case .launch, .send, .kill: _ = carryOut(action, site)
        }
      }
    }
    return lateness
  }
}
