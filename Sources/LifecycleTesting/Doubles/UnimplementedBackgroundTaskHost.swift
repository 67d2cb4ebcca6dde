public import LifecycleBackgroundWork
import ReactiveLifecycle

/// A host for background tasks that fails the test when it is used, at the line that created it.
///
/// ```swift
/// let host = UnimplementedBackgroundTaskHost()  // the test fails here …
/// let model = TimerModel(on: bus, host)
/// model.start()  // … if this begins a background task
/// ```
///
/// The host refuses all tasks and has no time limit.
public final class UnimplementedBackgroundTaskHost: BackgroundTaskHost {
  private let site: CallSite
  private let failures = TestFailures()

  /// Creates a host that reports its uses at the caller's line.
  public init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    report("the task \"\(name)\" was begun")
    return nil
  }

  public func endTask(_ task: BackgroundTaskID) {
    report("task number \(task.rawValue) was ended")
  }

  @MainActor public var remainingTime: Duration? {
    report("the remaining time was read")
    return nil
  }

  private func report(_ use: String) {
    failures.report(
      """
      An unimplemented host for background tasks was used: \(use). If the test expects this, pass \
      an InMemoryBackgroundTaskHost instead.
      """,
      at: site
    )
  }
}
