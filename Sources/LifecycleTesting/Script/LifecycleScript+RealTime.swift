package import ReactiveLifecycle

/// The same scripts against the clocks of the system, to verify virtual time.
extension LifecycleScript {
  /// Returns a process in real time. Its ``clock`` is not used: the only steps that pass time are
  /// those in which the process runs, and ``performInRealTime(_:)`` performs them.
  @MainActor
  package static func inRealTime(
    style: LifecycleTranscript.Style,
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) -> LifecycleScript where Bus == LifecycleBus {
    LifecycleScript(
      ManualClock(),
      style,
      files: .inMemory(InMemoryFileSystem()),
      elapsed: { SystemLifecycleClock().continuous.timeSinceBoot },
      makeBus: { LifecycleBus() },
      onLaunch: onLaunch
    )
  }

  /// Performs the steps, with at least as much time between them as they specify.
  ///
  /// - Returns: The additional time.
  @MainActor
  package func performInRealTime(
    _ steps: [LifecycleStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws -> Duration where Bus == LifecycleBus {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    var lateness = Duration.zero
    for step in steps {
      guard let actions = begin(step, site) else { break }
      for action in actions {
        switch action {
        case .pass(.zero, _): break
        case .pass(let duration, .running):
          let due = ContinuousClock.now + duration
          try await Task.sleep(until: due, clock: .continuous)
          lateness += due.duration(to: .now)
        case .pass, .setWallClock:
          site.report("The step \(step) is impossible in real time. Use a manual clock.")
        case .launch, .send, .kill: _ = carryOut(action, site)
        }
      }
    }
    return lateness
  }
}
