#if Services
  public import ReactiveLifecycle

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

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
    ///     ``SystemdNotifier/ready()``, for example when its server accepts connections.
    ///   - unsetsEnvironment: Whether the variables are removed from the environment, so that
    ///     programs that this one starts do not notify the manager in its place. Choose that before
    ///     other threads read the environment.
    ///   - environment: The variables to read; nil for those of the process.
    ///   - onFailure: Called on the caller's thread if the manager cannot be notified, or on the
    ///     thread that sends when a message did not reach it, the first time. By default, the
    ///     closure reports an issue.
    ///   - fileID: The file ID of the call site.
    ///   - filePath: The path of the call site's file.
    ///   - line: The line of the call site.
    ///   - column: The column of the call site.
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
        link.start(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        return SystemdNotifier(link)
      } catch {
        onFailure(error)
        return SystemdNotifier(nil)
      }
    }
  }
#endif
