import ReactiveLifecycle

/// An assertion that the process has work to finish, and should not be suspended before it is done.
///
/// A task ends exactly once: when ``end(fileID:filePath:line:column:)`` is called, when its scope
/// ends, when time is up, or, which is reported as an issue, when it is released.
///
/// ```swift
/// let task = tasks.beginTask(named: "upload") { upload.pause() }
/// upload.start { task.end() }
/// ```
public final class BackgroundTask: Sendable {
  package let core: BackgroundTaskCore
  /// The line that began the task; nil if a scope ends it.
  private let site: CallSite?

  init(_ core: BackgroundTaskCore, begunAt site: CallSite?) {
    self.core = core
    self.site = site
  }

  deinit {
    guard let site, core.end(.released) else { return }
    site.report(
      """
      The background task "\(core.name)" was released before end() was called, and the release \
      ended it. Keep a reference until its work is done and then call end(), or begin the task in \
      a scope.
      """
    )
  }

  /// The name that is shown in logs.
  public var name: String { core.name }

  /// A Boolean value that indicates whether the task has ended, for any reason. Thread-safe.
  public var isEnded: Bool { core.outcome != nil }

  /// A Boolean value that indicates whether the task has ended because time was up. Thread-safe.
  public var isExpired: Bool { core.outcome == .expired }

  /// A Boolean value that indicates whether time is held for the task: false if the host has
  /// refused, and after the task has ended. Thread-safe.
  public var isGranted: Bool { core.isGranted }

  /// Ends the task. Thread-safe.
  ///
  /// Has no effect after time was up, or after the scope has ended: the end of the work often races
  /// with that. A second call for a task that the first one has ended is reported at its line, and
  /// has no effect.
  public func end(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard !core.end(.finished), core.outcome == .finished else { return }
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).report(
      """
      The background task "\(core.name)" was ended twice. Call end() only where its work is done: \
      the task ends automatically when its time is up or its scope ends.
      """
    )
  }
}
