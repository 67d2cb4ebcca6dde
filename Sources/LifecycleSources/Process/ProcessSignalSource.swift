public import ReactiveLifecycle

/// Feeds a bus from the POSIX signals of this process and from job control.
///
/// | what happens | what the bus gets |
/// | --- | --- |
/// | connecting in the foreground, or without a terminal | `didBecomeActive` |
/// | connecting in the background | `didFinishLaunching` |
/// | Ctrl-Z, `kill -TSTP` | `didEnterBackground`, then the process stops |
/// | `fg` | `didBecomeActive` |
/// | `bg` | nothing: the process runs, in the background |
/// | `kill -STOP`, `kill -CONT` | nothing, unless the terminal changed hands meanwhile |
/// | `SIGTERM`, `SIGINT`, `SIGHUP` | `willTerminate`, then the process dies by the signal |
/// | the same with an open task of ``ProcessBackgroundTaskHost`` | the same; it stops or dies after the task |
///
/// ```swift
/// let bus = LifecycleBus()
/// let connection = try bus.connect(.processSignals())
/// ```
///
/// The foreground is read from the controlling terminal (`/dev/tty`), never inferred from `SIGCONT`:
/// a shell sends that for `bg` too, and none at all for `fg` of a job that runs. While the process
/// runs in the background the terminal is read four times a second; otherwise nothing polls.
///
/// One engine with a thread of its own serves all connections of the process. It stops the process
/// when the observers of all buses have returned, or at the deadline, and background tasks have ended, or
/// had their time. The first connection installs
/// its handlers and the last disconnect restores what was there, before it returns; while a stop or
/// an end is under way, after that. Signals that were ignored when the engine started (`nohup`) stay
/// ignored. `SIGTSTP` and `SIGCONT` get a handler of their own, which replaces an earlier one;
/// `SIGTERM`, `SIGINT` and `SIGHUP` are observed through Dispatch, beside other signal sources.
///
/// Observers run where their bus delivers, never on the engine's thread. A main-actor bus whose main
/// thread is blocked delays a stop up to the deadline. Connecting and disconnecting work on any
/// thread, from inside an observer too.
///
/// > Note: The rules come from POSIX.1-2024, *General Terminal Interface* (11.1.4), and from
/// > `signal(7)`.
public struct ProcessSignalSource: LifecycleSource {
  /// `processSignals`.
  public var name: LifecycleSourceName { "processSignals" }

  let deadline: Duration
  let termination: Termination
  let onOverrun: @Sendable (Overrun) -> Void

  /// Starts the engine, or joins it, and reports the phase that the process is in.
  ///
  /// - Throws: `ProcessSignalSource.StartError` when the system is short of descriptors or threads.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    let connection = SignalConnection(source: self, input: input)
    try ProcessSignalEngine.join(connection)
    return { ProcessSignalEngine.leave(connection) }
  }
}

extension LifecycleSource where Self == ProcessSignalSource {
  /// The POSIX signals of this process and job control.
  ///
  /// ```swift
  /// let bus = NonisolatedLifecycleBus()
  /// let connection = try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe))
  /// ```
  ///
  /// - Parameters:
  ///   - deadline: How long observers may hold up a stop or the end of the process, not counting
  ///     the time that the machine sleeps. With several connections the longest counts for all.
  ///   - termination: Who ends the process after `willTerminate`. When connections differ,
  ///     `.observe` counts.
  ///   - onOverrun: Called when a deadline has passed with observers still running, once for each
  ///     bus that was late, on a queue of the engine's. The process goes on to stop or to die after
  ///     at most 0.2 s, whether this has returned or not. By default it reports an issue that names
  ///     file and line of the observer.
  public static func processSignals(
    deadline: Duration = .seconds(5),
    termination: ProcessSignalSource.Termination = .reraise,
    onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void = { $0.report() }
  ) -> Self {
    Self(deadline: max(deadline, .zero), termination: termination, onOverrun: onOverrun)
  }
}
