public import LifecycleBackgroundWork
import ReactiveLifecycle

/// Lets the process finish what it is at before it stops or ends: the host of programs that live by
/// signals.
///
/// | what happens while a task is open | what comes of it |
/// | --- | --- |
/// | Ctrl-Z, `kill -TSTP` | the process stops after the last task, or when the grace period is over |
/// | `SIGTERM`, `SIGINT`, `SIGHUP` | it dies by the signal, after the last task or the grace period |
/// | a second `SIGTERM` or `SIGINT` | it dies at once, and nobody is told |
/// | `SIGCONT` while the stop waits | it does not stop, and nobody's time is up |
/// | `kill -STOP`, `kill -KILL` | what they say: no process can put these off |
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
/// ```
///
/// The grace period counts from the moment at which observers are told of the stop or the end, and so
/// does the deadline of ``ProcessSignalSource``: the process waits for both. A task that is begun
/// meanwhile counts too, and has what is left. When the time of a task is up, its expiration handler is
/// called on the main actor; if the main thread is blocked, the process waits for it half a second, not
/// longer. After that nothing is granted until the process goes on: after `fg` it is again.
///
/// The tasks of all hosts hold the process up, each as long as its own host grants. Somebody has to
/// heed the signals: while no bus is connected to ``ProcessSignalSource``, tasks are granted, and
/// signals stop and end the process as if there were none. The same holds for the end if another one
/// brings it about (``ProcessSignalSource/Termination/observe``).
///
/// To end a task again does nothing.
public struct ProcessBackgroundTaskHost: BackgroundTaskHost {
  private let grace: Duration

  init(grace: Duration) {
    self.grace = max(grace, .zero).clamped
  }

  /// Begins a task. Any thread.
  ///
  /// - Parameters:
  ///   - name: Not used.
  ///   - onExpiration: Called on the main actor, at most once, when the process is about to stop or to
  ///     end, and the grace period is over.
  /// - Returns: The task; nil if the grace period of a stop or an end is over.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    ProcessTasks.begin(grace: grace, onExpiration: onExpiration).map(BackgroundTaskID.init)
  }

  /// Ends a task. Any thread.
  public func endTask(_ task: BackgroundTaskID) {
    ProcessTasks.end(task.rawValue)
  }

  /// How long a stop or an end waits for tasks, if it came now; what is left of that while one waits,
  /// and zero after.
  @MainActor public var remainingTime: Duration? { ProcessTasks.remainingTime(of: grace) }
}

extension BackgroundTaskHost where Self == ProcessBackgroundTaskHost {
  /// The process itself, which puts off its stop and its end.
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
  /// ```
  ///
  /// - Parameter grace: How long tasks may hold up a stop or the end of the process, not counting the
  ///   time that the machine sleeps. Whoever sends `SIGTERM` often waits for 10 seconds (Docker) before
  ///   it sends `SIGKILL`.
  public static func process(grace: Duration = .seconds(5)) -> Self {
    Self(grace: grace)
  }
}
