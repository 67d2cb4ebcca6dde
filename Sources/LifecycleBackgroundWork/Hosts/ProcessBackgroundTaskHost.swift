#if os(macOS) || !canImport(Darwin)
  import LifecycleProcess

  /// Lets the process finish its work before a signal stops or ends it: the host for programs.
  ///
  /// | event while a task is open | consequence |
  /// | --- | --- |
  /// | Ctrl-Z, `kill -TSTP` | the process stops after the last task, or after the grace period |
  /// | `SIGTERM`, `SIGINT`, `SIGHUP` | the signal ends it after the last task or the grace period |
  /// | Ctrl-Z, and the task delays only the end (``Delay/end``) | the process stops at once |
  /// | a second `SIGINT`, or in a terminal `SIGTERM` | it ends at once; no handler is called |
  /// | `SIGCONT` while the stop waits | it does not stop, and no task expires |
  /// | `kill -STOP`, `kill -KILL` | the usual effect: no process can delay these |
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
  /// ```
  ///
  /// The grace period starts at the moment at which observers are notified of the stop or the end,
  /// and so does the deadline of `ProcessSignalSource`: the process waits for both. A task that
  /// begins during the grace period counts too, and has the remaining time. When the time of a task
  /// is up, its expiration handler is called on the main actor. If the main thread is blocked, the
  /// process waits at most half a second for the handler. After that, no task is granted until the
  /// process continues, for example after `fg`.
  ///
  /// The tasks of all hosts delay the process, each for as long as its own host grants. This
  /// requires a bus that is connected to `ProcessSignalSource`: without one, tasks are granted, and
  /// signals stop and end the process as if there were no tasks. The same applies to the end if
  /// another party ends the process (`ProcessSignalSource.Termination.observe`).
  ///
  /// Ending a task more than once has no effect.
  public struct ProcessBackgroundTaskHost: BackgroundTaskHost {
    /// The occasions on which tasks delay the process.
    @nonexhaustive
    public enum Delay: Hashable, Sendable {
      /// Tasks delay a stop (Ctrl-Z) and the end of the process.
      case stopAndEnd
      /// Tasks delay only the end of the process.
      ///
      /// Ctrl-Z stops the process at once, in the middle of a task, and no task expires: it
      /// continues after `fg`. For work that must be finished, but may be paused.
      case end
    }

    private let grant: ProcessTaskMachine.Grant

    init(grace: Duration, delaying delay: Delay) {
      grant = .init(grace: grace, occasions: delay == .end ? [.end] : [.stop, .end])
    }

    /// Begins a task.
    ///
    /// Thread-safe.
    ///
    /// - Parameters:
    ///   - name: Not used.
    ///   - onExpiration: Called on the main actor, at most once, when tasks of this host delay a
    ///     stop or the end of the process, and the grace period has passed.
    /// - Returns: The task; nil if the grace period of such a stop or end has passed.
    public func beginTask(
      named name: String,
      onExpiration: @escaping @MainActor @Sendable () -> Void
    ) -> BackgroundTaskID? {
      ProcessTasks.begin(grant, onExpiration: onExpiration).map(BackgroundTaskID.init)
    }

    /// Ends a task.
    ///
    /// Thread-safe.
    ///
    /// - Parameter task: A task of this host; one that has ended is ignored.
    public func endTask(_ task: BackgroundTaskID) {
      ProcessTasks.end(task.rawValue)
    }

    /// The time that a stop or an end would wait for tasks if it came now.
    ///
    /// While a stop or an end waits for tasks of this host, this is the time that remains; after
    /// that, it is zero.
    @MainActor public var remainingTime: Duration? {
      ProcessTasks.remainingTime(of: grant)
    }
  }

  extension BackgroundTaskHost where Self == ProcessBackgroundTaskHost {
    /// A host that delays the stop and the end of this process.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
    /// ```
    ///
    /// - Parameters:
    ///   - grace: The time for which tasks may delay a stop or the end of the process, not counting
    ///     the time that the machine sleeps, or that the process is frozen or stopped. The sender
    ///     of a `SIGTERM` often waits for 10 seconds (Docker) before it sends `SIGKILL`.
    ///   - delay: The occasions on which tasks delay the process.
    public static func process(
      grace: Duration = .seconds(5),
      delaying delay: ProcessBackgroundTaskHost.Delay = .stopAndEnd
    ) -> Self {
      Self(grace: grace, delaying: delay)
    }
  }
#endif
