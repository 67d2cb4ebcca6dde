public import ReactiveLifecycle

/// Feeds a bus from the POSIX signals of this process and from job control.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | connecting in the foreground, or without a terminal | `didBecomeActive` |
/// | connecting in the background | `didFinishLaunching` |
/// | Ctrl-Z, `kill -TSTP` | `didEnterBackground`, then the process stops |
/// | `fg` | `didBecomeActive` |
/// | `bg` | nothing: the process runs, in the background |
/// | `kill -STOP`, `kill -CONT` | nothing, unless the terminal changed hands meanwhile |
/// | `SIGTERM`, `SIGINT`, `SIGHUP` | `willTerminate`, then the signal ends the process |
/// | the same with a ``ProcessBackgroundTaskHost`` task | the same; it stops or ends after that |
/// | `SIGHUP`, if it requests a reload | the notice `reloadRequest` |
///
/// ```swift
/// let bus = LifecycleBus()
/// try bus.connect(.processSignals()).store(in: scope)
/// ```
///
/// The source reads the foreground from the controlling terminal (`/dev/tty`), and never infers it
/// from `SIGCONT`: a shell sends that signal for `bg` too, and sends none for `fg` of a running
/// job. While the process runs in the background, the terminal is read four times a second;
/// otherwise there is no polling.
///
/// One engine with a dedicated thread serves all connections of the process. It stops the process
/// when the observers of all buses have returned, or at the deadline, and when background tasks
/// have ended, or have used up their time.
///
/// The first connection installs the handlers; later ones add those of the signals that they take
/// in addition. The last disconnect restores the former handlers before it returns; if a stop or an
/// end is under way, the engine restores them after that. Signals that were ignored when they were
/// to be taken (`nohup`) stay ignored. `SIGTSTP` and `SIGCONT` get a dedicated handler, which
/// replaces an earlier one; `SIGTERM`, `SIGINT` and `SIGHUP` are observed through Dispatch, beside
/// other signal sources. While one of these three is taken, `SIGTTIN` and `SIGTTOU` have a handler,
/// too, if the program has none. It stops the process by `SIGSTOP`. While a signal ends the
/// process, or observers are asked about that, the two are ignored: the terminal can't keep it from
/// ending.
///
/// On Linux, the source notices at the end of the process whether another party still observes the
/// signal through Dispatch, such as a `ServiceGroup` that takes signals. The process does not wait
/// for that party, which is reported at the line that created the source. It is not reported if a
/// background task has delayed the end, as those of `LifecycleServices` do, or if a second signal
/// hurries the end.
///
/// Observers run where their bus delivers, never on the engine's thread. A main-actor bus whose
/// main thread is blocked delays a stop up to the deadline. Connecting and disconnecting are
/// thread-safe, and work inside an observer, too.
///
/// Connect after daemon(3) and fork(2). A child by fork(2) that executes no other program gets back
/// the dispositions that were there before the first connection. Its copies of the buses receive
/// nothing from the system, and can't be connected again.
///
/// > Note: The rules come from POSIX.1-2024, *General Terminal Interface* (11.1.4), and from
/// > `signal(7)`.
public struct ProcessSignalSource: Sendable {
  /// The name of the source, `processSignals`.
  public var name: LifecycleSourceName { "processSignals" }

  let taking: Signals
  let reload: Signals
  let deadline: Duration
  let termination: Termination
  let onOverrun: @Sendable (Overrun) -> Void
  /// The line that made the source.
  let site: CallSite

  /// The signals whose dispositions are replaced.
  var taken: Signals { taking.union(reload) }
}

extension LifecycleSource where Self == ProcessSignalSource {
  /// The POSIX signals of this process and job control.
  ///
  /// ```swift
  /// let bus = NonisolatedLifecycleBus()
  /// try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe)).store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - taking: The signals that the source takes. The dispositions of the others are not touched,
  ///     except those of `SIGTTIN` and `SIGTTOU`.
  ///     With several connections, the process takes the signals of all, until the last disconnect,
  ///     and every bus receives the events.
  ///   - reload: Signals, usually `.hangUp`, that send the notice `reloadRequest` and do not end
  ///     the process. They are taken, too. Nothing waits for the observers. With several
  ///     connections, a signal requests a reload if one of them wants that, and every bus receives
  ///     the notice. `.jobControl` is ignored.
  ///   - deadline: The time for which observers may delay a stop or the end of the process, not
  ///     counting the time that the machine sleeps, or that the process is frozen or stopped. With
  ///     several connections, the longest deadline applies to all.
  ///   - termination: The party that ends the process after `willTerminate`, and whether observers
  ///     are asked before. If connections differ, `.observe` applies, and observers are asked.
  ///   - onOverrun: Called on a queue of the engine, once for each bus that is late, when a
  ///     deadline has passed with observers still running. The process proceeds to stop or to end
  ///     after at most 0.2 s, even if the closure has not returned. By default, the closure reports
  ///     an issue that names the file and line of the observer.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public static func processSignals(
    taking: ProcessSignalSource.Signals = .all,
    reload: ProcessSignalSource.Signals = [],
    deadline: Duration = .seconds(5),
    termination: ProcessSignalSource.Termination = .reraise,
    onOverrun: @escaping @Sendable (ProcessSignalSource.Overrun) -> Void = { $0.report() },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    Self(
      taking: taking,
      reload: reload.subtracting(.jobControl),
      deadline: max(deadline, .zero),
      termination: termination,
      onOverrun: onOverrun,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
}
