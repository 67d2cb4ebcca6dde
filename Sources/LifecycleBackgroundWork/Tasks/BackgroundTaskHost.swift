/// Whoever lets the process run on in the background, for a while: UIKit, the expiring activities of
/// watches and extensions, the process itself on Linux, or a double in tests.
///
/// It knows tasks by their numbers, and holds its user to UIKit's rules: each task that was begun is
/// ended exactly once.
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
  /// Asks for time for a task. Any thread.
  ///
  /// Work is to be done whether time is granted or not: without it, the process may be suspended
  /// halfway. To be asked for early, before the process is in the background: a system may grant it
  /// later than this returns (`beginBackgroundTask(withName:expirationHandler:)`), and if it then does
  /// not, the handler is called.
  ///
  /// - Parameters:
  ///   - name: For people who look at logs.
  ///   - onExpiration: Called at most once, on the main actor, when time is up, and never after the
  ///     task was ended. The host waits until it has returned; the task must be ended by then, or the
  ///     system kills the process (UIKit). To another thread it may seem to come before this method
  ///     has returned.
  /// - Returns: The task; nil if the host refuses (UIKit's `invalid`; the `expired` of the first call
  ///   of a `performExpiringActivity` block). The handler is not called then.
  func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID?

  /// Gives the time back. Any thread, also inside the task's expiration handler, which does not run
  /// any more once this has returned on the main actor.
  ///
  /// - Parameter task: One that this host has granted, and that was not ended yet.
  func endTask(_ task: BackgroundTaskID)

  /// How long the process may run on, if it is in the background, or goes there now; nil without a
  /// limit, or if that is not known.
  ///
  /// All tasks share it. It is not a promise: the system may want the time back earlier. UIKit's
  /// `backgroundTimeRemaining` is of the main actor, and huge in the foreground, which is no limit; an
  /// expiring activity is not told its time; a process has its grace period.
  @MainActor var remainingTime: Duration? { get }
}

/// A task of a ``BackgroundTaskHost``, by its number.
public struct BackgroundTaskID: RawRepresentable, Sendable, Hashable {
  /// The number. It means something to the host alone.
  public var rawValue: Int

  /// The task of that number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}
