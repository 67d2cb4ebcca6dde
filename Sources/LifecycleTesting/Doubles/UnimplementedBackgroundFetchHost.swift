public import LifecycleBackgroundWork
import ReactiveLifecycle

/// A host for background fetches that fails the test when it is used, at the line that created it.
///
/// ```swift
/// let host = UnimplementedBackgroundFetchHost()  // the test fails here …
/// let model = TimerModel(on: bus, host)
/// model.start()  // … if this sets an interval
/// ```
///
/// The host never wakes up the process.
public final class UnimplementedBackgroundFetchHost: BackgroundFetchHost {
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

  public func setMinimumInterval(_ interval: Duration?) {
    report("the minimum interval was set to \(interval.map { "\($0)" } ?? "never")")
  }

  public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    report("a handler was \(handler == nil ? "removed" : "set")")
  }

  private func report(_ use: String) {
    failures.report(
      """
      An unimplemented host for background fetches was used: \(use). If the test expects this, \
      pass an InMemoryBackgroundFetchHost instead.
      """,
      at: site
    )
  }
}
