/// A type that lets the process continue to run in the background for a while: UIKit, the expiring
/// activities of watches and extensions, the process itself on Linux, or a double in tests.
///
/// A host identifies tasks by their numbers, and holds its user to UIKit's rules: each task that
/// was begun is ended exactly once.
///
/// ```swift
/// func start() {
///   task = host.beginTask(named: "upload") { self.stop() }
/// }
///
/// func stop() {
///   if let task = task.take() { host.endTask(task) }
/// }
/// ```
public protocol BackgroundTaskHost: Sendable {
  /// Requests time for a task. Thread-safe.
  ///
  /// Do the work whether time is granted or not: without a grant, the process may be suspended
  /// halfway. Request time early, before the process is in the background. A system may grant it
  /// after this method returns (`beginBackgroundTask(withName:expirationHandler:)`); if it then
  /// refuses, the handler is called.
  ///
  /// - Parameters:
  ///   - name: The name that is shown in logs.
  ///   - onExpiration: Called on the main actor when time is up, at most once, and never after the
  ///     task was ended. The host waits until it has returned; the task must be ended by then, or
  ///     the system kills the process (UIKit). To another thread the call may appear to come before
  ///     this method has returned.
  /// - Returns: The task; nil if the host refuses (UIKit's `invalid`; the `expired` of the first
  ///   call of a `performExpiringActivity` block). In that case the handler is not called.
  func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID?

  /// Gives the time back.
  ///
  /// Thread-safe, also inside the task's expiration handler. The handler no longer runs once this
  /// method has returned on the main actor.
  ///
  /// - Parameter task: A task that this host has granted, and that has not been ended yet.
  func endTask(_ task: BackgroundTaskID)

  /// The time that the process may continue to run if it is in the background, or enters it now;
  /// nil without a limit, or if it is not known.
  ///
  /// All tasks share it. It is not a promise: the system may want the time back earlier. UIKit's
  /// `backgroundTimeRemaining` is huge in the foreground and while location updates keep the app
  /// running, so the host for UIKit returns at most the 30 seconds that are granted then. An
  /// expiring activity does not receive its time. A process has its grace period.
  @MainActor var remainingTime: Duration? { get }
}

/// The identifier of a task of a ``BackgroundTaskHost``.
public struct BackgroundTaskID: RawRepresentable, Sendable, Hashable {
  /// The number, which is meaningful only to the host.
  public var rawValue: Int

  /// Creates the identifier with a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}
