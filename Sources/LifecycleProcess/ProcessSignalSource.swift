import IssueReporting
public import LifecycleCore
import LifecycleSupport

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
/// | the same with a `ProcessBackgroundTaskHost` task | the same; it stops or ends after that |
/// | `SIGHUP`, if it requests a reload | the notice `reloadRequest` |
///
/// ```swift
/// let bus = LifecycleBus()
/// try bus.connect(.processSignals(), in: scope)
/// ```
///
/// One engine with a dedicated thread serves all connections of the process. It stops the process
/// when the observers of all buses have returned, or at the deadline, and when background tasks
/// have ended, or have used up their time. Observers run where their bus delivers, never on the
/// engine's thread.
///
/// The first connection installs the handlers; later ones add those of the signals that they take
/// in addition. The last disconnect restores the former handlers before it returns; if a stop or an
/// end is under way, the engine restores them after that. Connecting and disconnecting are
/// thread-safe, and work inside an observer, too.
///
/// The article *On Linux* describes how the foreground is determined, what happens to a program's
/// own handlers, to programs that it starts and to a child by fork(2), and when the process exits.
///
/// > Note: The rules come from POSIX.1-2024, *General Terminal Interface* (11.1.4), and from
/// > `signal(7)`.
public struct ProcessSignalSource: LifecycleSource {
  /// The name of the source, `processSignals`.
  public var name: LifecycleSourceName { "processSignals" }

  let taking: Signals
  let reload: Signals
  let deadline: Duration
  /// The time that observers have to cancel the end; nil if they are not asked.
  let exitRequestTime: Duration?
  let termination: Termination
  let onOverrun: @Sendable (Overrun) -> Void
  /// The line that made the source.
  let site: CallSite

  /// The signals whose dispositions are replaced.
  var taken: Signals { taking.union(reload) }

  /// Starts the engine, or joins it, and reports the current phase of the process.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of descriptors or threads.
  public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    let connection = SignalConnection(source: self, feed: feed)
    try ProcessSignalEngine.join(connection)
    return { ProcessSignalEngine.leave(connection) }
  }
}

extension LifecycleSource where Self == ProcessSignalSource {
  /// The POSIX signals of this process and job control, as `processSignals()` creates them.
  ///
  /// Its reports name a line of the library, because a property does not know the caller's.
  public static var processSignals: Self { processSignals() }

  /// The POSIX signals of this process and job control.
  ///
  /// ```swift
  /// let bus = NonisolatedLifecycleBus()
  /// try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe), in: scope)
  /// ```
  ///
  /// With `asking`, `SIGTERM`, `SIGINT` and `SIGHUP` are requests: the observers of exit requests
  /// of all connected buses are asked, with the name of the signal in the request's `metadata`. If
  /// one of them cancels, the process continues, and `willTerminate` is not announced.
  ///
  /// - Parameters:
  ///   - taking: The signals that the source takes. The dispositions of the others are not touched,
  ///     except those of `SIGTTIN`, `SIGTTOU` and `SIGPIPE`.
  ///     With several connections, the process takes the signals of all, until the last disconnect,
  ///     and every bus receives the events.
  ///   - reload: Signals, usually `.hangUp`, that send the notice `reloadRequest` and do not end
  ///     the process. They are taken, too. Nothing waits for the observers. With several
  ///     connections, a signal requests a reload if one of them wants that, and every bus receives
  ///     the notice. `.jobControl` is ignored.
  ///   - deadline: The time for which observers may delay a stop or the end of the process, not
  ///     counting the time that the machine sleeps, or that the process is frozen or stopped. With
  ///     several connections, the longest deadline applies to all.
  ///   - asking: The time for the answers of observers that are asked before a signal ends the
  ///     process, counted as the deadline is; nil if they are not asked. The sender of a `SIGTERM`
  ///     often waits for 10 seconds (Docker) before it sends `SIGKILL`. If one of several
  ///     connections asks, the observers are asked, and have the longest time.
  ///   - termination: The party that ends the process after `willTerminate`. If connections differ,
  ///     `.observe` applies.
  ///   - onOverrun: Called on a queue of the engine, once for each bus that is late, when a
  ///     deadline has passed with observers still running. The process proceeds to stop or to end
  ///     after at most 0.2 s, even if the closure has not returned. By default, the closure reports
  ///     an issue that names the file and line of the observer.
  public static func processSignals(
    taking: ProcessSignalSource.Signals = .all,
    reload: ProcessSignalSource.Signals = [],
    deadline: Duration = .seconds(5),
    asking: Duration? = nil,
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
      exitRequestTime: asking.map { max($0, .zero) },
      termination: termination,
      onOverrun: onOverrun,
      site: CallSite(fileID, filePath, line, column)
    )
  }
}

// MARK: - Options

extension ProcessSignalSource {
  /// A set of signals that the source can take from the process.
  ///
  /// ```swift
  /// let daemon: ProcessSignalSource.Signals = [.terminate, .interrupt, .hangUp]
  /// ```
  public struct Signals: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    ///
    /// - Parameter rawValue: A bit for each of the signals, such as those of ``terminate``.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `SIGTSTP`, the signal of Ctrl-Z, and `SIGCONT`, the one that continues a stopped process.
    public static let jobControl = Self(rawValue: 1 << 0)
    /// `SIGTERM`.
    public static let terminate = Self(rawValue: 1 << 1)
    /// `SIGINT`, the signal of Ctrl-C.
    public static let interrupt = Self(rawValue: 1 << 2)
    /// `SIGHUP`, which is sent when the terminal is closed.
    public static let hangUp = Self(rawValue: 1 << 3)

    /// All signals that the source can take.
    public static let all: Self = [.jobControl, .terminate, .interrupt, .hangUp]

    func includes(_ signal: JobControlSignal) -> Bool {
      switch signal {
      case .stop, .continue: contains(.jobControl)
      case .terminate: contains(.terminate)
      case .interrupt: contains(.interrupt)
      case .hangUp: contains(.hangUp)
      }
    }
  }

  /// The party that ends the process after a `SIGTERM`, `SIGINT` or `SIGHUP`.
  @nonexhaustive
  public enum Termination: Hashable, Sendable {
    /// The source ends the process.
    ///
    /// Another party of the program that takes the signal is waited for only if it has a background
    /// task. On Linux, one that is not is reported.
    ///
    /// The source waits until the observers of `willTerminate` have returned, or until the
    /// deadline, and until the tasks of `ProcessBackgroundTaskHost` have ended, or have used up
    /// their time. Then the buffer of standard output is written out, for at most half a second,
    /// and the signal itself ends the process, so that a shell loop ends on Ctrl-C too. As process
    /// 1 of a container, where that has no effect, the process exits with 128 + the signal's
    /// number.
    ///
    /// A second `SIGTERM` or `SIGINT` ends the process at once, unless it comes within 0.3 s of the
    /// first: timeout(1), npm and others send two and mean one. A `SIGHUP` is not counted: the
    /// kernel and the shell both send one, and systemd sends one along with `SIGTERM`. Nor is a
    /// second `SIGTERM`, if the process had no controlling terminal when the first bus connected:
    /// Kubernetes may repeat it in the middle of a shutdown.
    case reraise
    /// Another party ends the process, such as the `ServiceGroup` of swift-service-lifecycle.
    ///
    /// The source only announces `willTerminate`, once, and waits for no observer. A signal that
    /// arrives while the last connection is being cancelled, too late for its bus, is sent again
    /// when the former handlers are restored.
    case observe
  }
}

// MARK: - Reports

extension ProcessSignalSource {
  /// A report of observers of one bus that were still running when a deadline passed.
  ///
  /// The deadline is that of a stop, or of the end of the process.
  public struct Overrun: Hashable, Sendable, CustomStringConvertible {
    /// The event that was being delivered: `didEnterBackground` or `willTerminate`.
    public var kind: LifecycleEvent.Kind
    /// The deadline that passed, counted from the moment at which observers are notified.
    public var deadline: Duration
    /// The observer that was running; nil if none had been reached, as on a main-actor bus whose
    /// main thread is blocked.
    public var observer: LifecycleObserverLocation?

    package init(
      kind: LifecycleEvent.Kind,
      deadline: Duration,
      observer: LifecycleObserverLocation?
    ) {
      self.kind = kind
      self.deadline = deadline
      self.observer = observer
    }

    /// A description of the overrun, and of what to do.
    public var description: String {
      if let observer {
        """
        The observer registered at \(observer) was still running \(deadline) after \(kind) was \
        announced, so the process no longer waits for it. Return from the observer sooner, or \
        choose a longer deadline.
        """
      } else {
        """
        The bus had not reached its observers \(deadline) after \(kind) was announced, so the \
        process no longer waits for them. Check whether the thread where the bus delivers is \
        blocked.
        """
      }
    }

    /// Reports the overrun as an issue.
    ///
    /// An issue is a failure in a test, a purple warning in Xcode, and a line on standard error
    /// elsewhere.
    public func report() {
      reportIssue(description)
    }
  }

  /// An error that indicates why the process's signals, or what else its one thread waits for,
  /// cannot be observed.
  ///
  /// The bus continues without them.
  public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step in starting the source.
    @nonexhaustive
    public enum Step: Hashable, Sendable {
      /// Opening the pipe that the signal handler writes to.
      case pipe
      /// Installing the handler of the signal with this POSIX name.
      case handler(signal: String)
      /// Starting the engine's thread, or the threads of Dispatch.
      case thread
      /// Opening a descriptor for this, such as the path of a file.
      case descriptor(of: String)
    }

    /// The step that failed.
    public var step: Step
    /// The system's error number.
    public var errno: Int32

    package init(step: Step, errno: Int32) {
      self.step = step
      self.errno = errno
    }

    /// Creates the error of a system that is short of descriptors or memory; nil if the error with
    /// which a descriptor can't be opened is another one.
    package init?(opening name: String, shortage errno: Int32) {
      guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) else { return nil }
      self.init(step: .descriptor(of: name), errno: errno)
    }

    /// A description of the failed step, the reason and the remedy.
    public var description: String {
      let reason = String(cString: strerror(errno))
      return switch step {
      case .pipe:
        """
        The pipe for the signals of the process can't be opened: \(reason). Close file \
        descriptors, or raise their limit (ulimit -n).
        """
      case .handler(let signal):
        """
        The handler for \(signal) can't be installed: \(reason). Check that the sandbox or seccomp \
        filter of the process allows sigaction.
        """
      case .thread where errno == ENOTSUP:
        """
        This process is a child by fork of one that had connected, and has none of its threads. \
        Connect after fork() or daemon(), or execute a program in the child.
        """
      case .thread:
        """
        The thread that handles the signals of the process can't be started: \(reason). Raise the \
        limit on threads (ulimit -u, or the container's pids limit).
        """
      case .descriptor(let name):
        "A descriptor of \(name) can't be opened: \(reason). \(remedy)"
      }
    }

    private var remedy: String {
      switch errno {
      case ENOMEM, ENOBUFS: "Release memory, or raise the limit of the container."
      case ENFILE:
        "Close file descriptors, or raise their limit in the system (sysctl fs.file-max)."
      default: "Close file descriptors, or raise their limit (ulimit -n)."
      }
    }
  }
}

// MARK: - The end

extension ProcessSignalSource {
  /// Waits until the process has ended, if a signal is ending it.
  ///
  /// Call this method at the end of an asynchronous `main` whose work ends with the bus. A return
  /// from `main` waits, too, but lets no task of the main actor finish meanwhile:
  ///
  /// ```swift
  /// for await event in bus.events.asyncSequence() { record(event) }
  /// await ProcessSignalSource.waitForEnd()
  /// ```
  ///
  /// If a signal is ending the process, this method does not return: the signal ends the process
  /// after the observers and the background tasks, or at their deadlines. Otherwise it returns at
  /// once: if no signal has been received, if no bus is connected to the process's signals, or if
  /// another party ends the process (``Termination/observe``).
  ///
  /// The task is suspended and no thread is blocked, so observers on the main actor run meanwhile.
  /// Cancelling the task has no effect.
  public static func waitForEnd() async {
    guard isEnding else { return }
    // Never resumed: the process ends first. A checked continuation would report that.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// A Boolean value that indicates whether a signal is ending the process.
  package static var isEnding: Bool { ProcessSignalEngine.isEnding(nil) }

  /// Returns whether a signal is ending the process, and this bus is connected to the signals.
  package static func isEnding(_ core: LifecycleBusCore) -> Bool {
    ProcessSignalEngine.isEnding(core)
  }
}
