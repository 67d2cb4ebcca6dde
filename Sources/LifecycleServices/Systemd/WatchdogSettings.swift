#if Services
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
