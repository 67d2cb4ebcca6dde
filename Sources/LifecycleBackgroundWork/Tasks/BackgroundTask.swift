import LifecycleCore
import LifecycleSupport

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

  /// A Boolean value that indicates whether the task has ended, for any reason. Thread-safe.
  package var isEnded: Bool { core.outcome != nil }

  /// A Boolean value that indicates whether the task has ended because time was up. Thread-safe.
  package var isExpired: Bool { core.outcome == .expired }

  /// A Boolean value that indicates whether time is held for the task: false if the host has
  /// refused, and after the task has ended. Thread-safe.
  package var isGranted: Bool { core.isGranted }

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
    CallSite(fileID, filePath, line, column).report(
      """
      The background task "\(core.name)" was ended twice. Call end() only where its work is done: \
      the task ends automatically when its time is up or its scope ends.
      """
    )
  }
}

/// A task of a ``BackgroundTaskCoordinator``, which holds it while time is held for it. The scope
/// that it ends with holds it as well.
package final class BackgroundTaskCore: Sendable {
  /// The way in which a task ended, as recordings of the bus show it.
  enum Outcome: String {
    case finished, cancelled, released, expired
  }

  private struct State {
    var outcome: Outcome?
    var onExpiration: (@MainActor @Sendable () -> Void)?
    var membership: ScopeMembership?
  }

  let name: String
  private let number: Int
  private let coordinator: BackgroundTaskCoordinator
  private let log: ActivityLog?
  private let state: Locked<State>

  init(
    _ number: Int,
    _ name: String,
    of coordinator: BackgroundTaskCoordinator,
    _ log: ActivityLog?,
    _ onExpiration: @escaping @MainActor @Sendable () -> Void
  ) {
    self.number = number
    self.name = name
    self.coordinator = coordinator
    self.log = log
    state = Locked(State(onExpiration: onExpiration))
  }

  /// The way in which the task ended; nil while it is open.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  var isGranted: Bool { coordinator.isGranted(number) }

  /// Records the task's place in a scope.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  /// Leaves the scope if the task ended before its place there was recorded.
  func leaveIfEnded() {
    let membership = state.withLock { state in
      state.outcome == nil ? nil : state.membership.take()
    }
    membership?.withdraw()
  }

  /// - Returns: Whether this call has ended the task.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    guard let old = take(outcome) else { return false }
    old.membership?.withdraw()
    withExtendedLifetime(old) { coordinator.end(number) }
    return true
  }

  @MainActor func expire() {
    guard let old = take(.expired) else { return }
    old.membership?.withdraw()
    old.onExpiration?()
  }

  /// - Returns: The previous state; nil if the task has already ended.
  private func take(_ outcome: Outcome) -> State? {
    let old = state.withLock { state -> State? in
      guard state.outcome == nil else { return nil }
      defer { state = State(outcome: outcome) }
      return state
    }
    if old != nil { log?.noteEnd(outcome.rawValue) }
    return old
  }
}
