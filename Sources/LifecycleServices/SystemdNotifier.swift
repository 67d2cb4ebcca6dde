#if Services
  import IssueReporting
  public import LifecycleCore
  import LifecycleSupport

  extension LifecycleBusProtocol {
    /// Notifies the service manager of the state of the process, if it was started by one that asks
    /// for that (`Type=notify`, `Type=notify-reload`, `WatchdogSec=`).
    ///
    /// ```swift
    /// bus.notifySystemd()
    /// ```
    ///
    /// Without `$NOTIFY_SOCKET` nothing is started. Paths and abstract names (`@`) are supported;
    /// with another address, such as `vsock:2:1234`, the program continues without notifying the
    /// manager, and `onFailure` is called. The messages are in the table of ``SystemdNotifier``.
    /// They are sent where the bus delivers, in the order of registration among its observers, the
    /// last first at `willTerminate`. A full queue of the manager delays one message by about a
    /// second. Later messages are dropped without a delay, until the queue has room again; the
    /// first message that is lost is passed to `onFailure`.
    ///
    /// A hung observer, or on a main-actor bus a hung main thread, ends the watchdog's signs of
    /// life until the bus delivers again. After `willTerminate` they continue regardless: the
    /// manager limits the time that the end takes (`TimeoutStopSec=`), and is asked for more while
    /// a task of `ProcessBackgroundTaskHost` is open, such as that of `runServices`.
    ///
    /// - Parameters:
    ///   - condition: The phases in which the program is ready; nil if it calls
    ///     ``SystemdNotifier/ready()``, as one that accepts connections does as soon as it listens:
    ///     the bus is active before that, also if listening then fails.
    ///   - unsetsEnvironment: Whether the variables are removed from the environment, so that
    ///     programs that this one starts do not notify the manager in its place. Choose that before
    ///     other threads read the environment.
    ///   - environment: The variables to read; nil for those of the process.
    ///   - onFailure: Called on the caller's thread if the manager cannot be notified, or on the
    ///     thread that sends when a message did not reach it, the first time. By default, the
    ///     closure reports an issue.
    /// - Returns: The notifier, which need not be kept.
    @discardableResult
    public func notifySystemd(
      readyWhen condition: LifecyclePhase.Condition? = .atLeast(.active),
      unsetsEnvironment: Bool = false,
      environment: [String: String]? = nil,
      onFailure: @escaping @Sendable (SystemdNotifier.Failure) -> Void = { $0.report() },
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) -> SystemdNotifier {
      func value(_ name: String) -> String? {
        if let environment { return environment[name] }
        return getenv(name).map { String(cString: $0) }
      }
      guard let name = value("NOTIFY_SOCKET"), !name.isEmpty else { return SystemdNotifier(nil) }
      let watchdog = WatchdogSettings(
        microseconds: value("WATCHDOG_USEC"),
        watchedProcess: value("WATCHDOG_PID"),
        process: getpid()
      )
      if unsetsEnvironment {
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
      }
      do throws(SystemdNotifier.Failure) {
        let socket = try NotifySocket(NotifyAddress(name))
        let link = NotifyLink(core, socket, watchdog, readyWhen: condition, onFailure: onFailure)
        link.start(CallSite(fileID, filePath, line, column))
        return SystemdNotifier(link)
      } catch {
        onFailure(error)
        return SystemdNotifier(nil)
      }
    }
  }

  /// The connection between a bus and the service manager that started the process, as
  /// `notifySystemd(readyWhen:unsetsEnvironment:environment:onFailure:fileID:filePath:line:column:)`
  /// makes it.
  ///
  /// | event | message |
  /// | --- | --- |
  /// | the phase meets the condition for the first time, or ``ready()`` | `READY=1` |
  /// | `reloadRequest` | `RELOADING=1` with `MONOTONIC_USEC`; `READY=1` after its observers |
  /// | `willTerminate` | `STOPPING=1`, `STATUS=Stopping after SIGTERM` |
  /// | the process exits, by `exit` or a return from `main` | `STOPPING=1`, `STATUS=Stopping` |
  /// | the end, while a task of `ProcessBackgroundTaskHost` is open | `EXTEND_TIMEOUT_USEC` |
  /// | half the watchdog's time has passed, and the bus delivers | `WATCHDOG=1` |
  ///
  /// It continues until the process ends, whether or not the program keeps it, or until
  /// ``cancel()``. Once the bus is released, only the exit of the process is notified. Without
  /// `$NOTIFY_SOCKET` it does nothing, and nothing is started.
  ///
  /// > Note: The rules come from `sd_notify(3)` and `sd_watchdog_enabled(3)`.
  public final class SystemdNotifier: Sendable {
    private let link: NotifyLink?

    init(_ link: NotifyLink?) {
      self.link = link
    }

    /// A Boolean value that indicates whether a service manager is notified.
    public var isActive: Bool { link != nil }

    /// Sends `READY=1`, for a program that reports itself that it is ready.
    ///
    /// Thread-safe. Has no effect if that was sent before, or if the process is ending.
    public func ready() {
      link?.handle(.ready)
    }

    /// Sends a text that describes the service, which `systemctl status` shows.
    ///
    /// Thread-safe. Line breaks become spaces.
    public func setStatus(_ text: String) {
      link?.handle(.status(text))
    }

    /// Ends the messages. A watchdog then considers the process hung. Thread-safe.
    public func cancel() {
      link?.cancel()
    }
  }

  extension SystemdNotifier {
    /// An error that indicates why the service manager was not notified.
    ///
    /// The bus and the program continue without it.
    @nonexhaustive
    public enum Failure: Error, Hashable, Sendable {
      /// `$NOTIFY_SOCKET` is neither a path nor an abstract name. No message is sent.
      case unsupportedAddress(String)
      /// `$NOTIFY_SOCKET` is longer than the number of bytes that a socket's name may have. No
      /// message is sent.
      case nameTooLong(String, limit: Int)
      /// The socket cannot be opened, with the system's error number. No message is sent.
      case socket(errno: Int32)
      /// A message, one field a line, did not reach the manager, with the system's error number.
      case message(String, errno: Int32)
    }
  }

  extension SystemdNotifier.Failure: CustomStringConvertible {
    /// A description of the reason and the remedy.
    public var description: String {
      switch self {
      case .unsupportedAddress(let name):
        """
        $NOTIFY_SOCKET is "\(name)", which is neither a path that begins with "/" nor an abstract \
        name that begins with "@", so the service manager is not notified. Pass one of these, or \
        unset the variable.
        """
      case .nameTooLong(let name, let limit):
        """
        $NOTIFY_SOCKET has \(name.utf8.count) bytes, but the name of a socket has at most \(limit), \
        so the service manager is not notified. Choose a shorter path, or an abstract name: \
        "\(name)".
        """
      case .socket(let errno):
        """
        The socket for the service manager can't be opened, so it is not notified: \
        \(String(cString: strerror(errno))). Close file descriptors, or raise their limit \
        (LimitNOFILE=).
        """
      case .message(let message, let errno):
        """
        The service manager could not be notified of \
        "\(message.split(separator: "\n").joined(separator: ", "))": \
        \(String(cString: strerror(errno))). \(Self.remedy(errno))
        """
      }
    }

    private static func remedy(_ errno: Int32) -> String {
      switch errno {
      case EAGAIN:
        """
        Its queue was full for a second. Check that it reads $NOTIFY_SOCKET, and send fewer \
        messages, such as status texts.
        """
      case EMSGSIZE: "Shorten the status text."
      default:
        """
        Check that $NOTIFY_SOCKET names a socket that exists where the process runs, and that the \
        process may write to it.
        """
      }
    }

    /// Reports the failure as an issue.
    public func report() {
      reportIssue(description)
    }
  }

  /// The watchdog that the service manager asks for by `$WATCHDOG_USEC` and `$WATCHDOG_PID`.
  struct WatchdogSettings: Hashable, Sendable {
    /// The time after which a process that has sent no sign of life is considered hung.
    let timeout: Duration

    /// The time between two signs of life: half the timeout, as systemd recommends.
    var period: Duration { timeout / 2 }

    /// Returns nil if the manager does not watch this process.
    init?(microseconds: String?, watchedProcess: String?, process: Int32) {
      guard let microseconds = microseconds.flatMap(Int64.init), microseconds > 0 else {
        return nil
      }
      if let watchedProcess, Int32(watchedProcess) != process { return nil }
      timeout = .microseconds(microseconds)
    }
  }
#endif
