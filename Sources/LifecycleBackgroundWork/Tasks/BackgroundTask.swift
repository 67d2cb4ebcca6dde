import ReactiveLifecycle
import Synchronization

/// An assertion that the process has something to do, and should not be suspended before that is done.
///
/// It ends exactly once: when it is told to, with its scope, when time is up, or, which is reported,
/// when it is released.
///
/// ```swift
/// let task = tasks.beginTask(named: "upload") { upload.pause() }
/// upload.start { task.end() }
/// ```
public final class BackgroundTask: Sendable {
  package let core: BackgroundTaskCore
  /// Nil if a scope ends it.
  private let site: CallSite?
  private let isToldToEnd = Atomic(false)

  init(_ core: BackgroundTaskCore, begunAt site: CallSite?) {
    self.core = core
    self.site = site
  }

  deinit {
    guard let site, core.end() else { return }
    site.report(
      """
      The background task "\(core.name)" was released before it was ended, and was ended with that. \
      Keep it until its work is done, and call end(), or begin it in a scope.
      """
    )
  }

  /// What people see in logs.
  public var name: String { core.name }

  /// Whether it has ended, in whichever way. Any thread.
  public var isEnded: Bool { core.isEnded }

  /// Whether it has ended because time was up. Any thread.
  public var isExpired: Bool { core.isExpired }

  /// Whether time is held for it: not if the host has refused, and not after its end. Any thread.
  public var isGranted: Bool { core.isGranted }

  /// Ends the task. Any thread.
  ///
  /// After its time was up, or its scope has ended, this does nothing: the end of the work often races
  /// with that. A second call is reported at its line, and does nothing.
  public func end(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    core.end()
    guard isToldToEnd.exchange(true, ordering: .relaxed) else { return }
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column).report(
      """
      The background task "\(core.name)" was ended twice. End it where its work is done, and nowhere \
      else: time that is up, or the end of a scope, ends it by itself.
      """
    )
  }
}
