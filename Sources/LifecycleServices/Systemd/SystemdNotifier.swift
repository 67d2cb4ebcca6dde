#if Services
  import LifecycleSupport
  import ReactiveLifecycle

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
#endif
