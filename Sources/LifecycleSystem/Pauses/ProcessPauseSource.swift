import LifecycleSources
public import ReactiveLifecycle

/// Feeds a bus when the process was paused without having seen it coming, once it continues.
///
/// | the process was paused by | what the bus receives |
/// | --- | --- |
/// | the freezer of its control group (version 2), as by `docker pause` | `processWasPaused`; the time is known from Linux 6.18 on |
/// | `SIGSTOP`, while a bus is connected to `.processSignals()` | `processWasPaused`, without the time |
/// | anything, with a heartbeat | `processWasPaused`, with the time |
/// | Ctrl-Z and `fg`, while a bus is connected to `.processSignals()` | nothing: the signals report that |
/// | sleep of the machine | nothing: ``SystemClockSource`` reports that |
///
/// ```swift
/// try bus.connect(.processPauses(heartbeat: .seconds(1))).store(in: scope)
/// bus.addObserver(for: [.processWasPaused], in: scope) { event in
///   print("paused for \(event.timePaused ?? .zero): \(event.pauseCause ?? .unknown)")
/// }
/// ```
///
/// Without a heartbeat, the process is woken by the kernel alone, and never by time. A heartbeat
/// wakes it once per interval. It notices a pause of any cause that lasts for two intervals, and
/// makes the time of every pause known, which then is at most an interval too long. The freezer of
/// control groups of version 1 reports nothing: there, only a heartbeat notices it. If the process
/// was moved to another control group, the source watches that one as soon as the former group has
/// no process.
///
/// Unavailable on Apple platforms, where the system suspends and reports that itself.
///
/// > Note: The rules come from the kernel's `Documentation/admin-guide/cgroup-v2.rst`
/// > (`cgroup.events`, `cgroup.stat.local`), and from `signal(7)`.
public struct ProcessPauseSource: SystemSource {
  /// The name of the source, `processPauses`.
  public var name: LifecycleSourceName { "processPauses" }

  let heartbeat: Duration?

  /// `available` with a heartbeat, and in a control group that can be frozen. A `SIGSTOP` is
  /// noticed wherever signals are connected.
  public var availability: SystemAvailability {
    #if os(Linux)
      let beat = heartbeat.map { "a heartbeat of \($0)" }
      do throws(SystemFailure) {
        let events = try FreezerEvents()
        events.close()
        return .available(by: "the control group" + (beat.map { " and \($0)" } ?? ""))
      } catch {
        guard let beat else {
          return .unavailable(because: "\(error.reason), and there is no heartbeat")
        }
        return .available(by: "\(beat) alone: \(error.reason)")
      }
    #else
      return .unavailable(because: "this platform suspends processes itself")
    #endif
  }

  /// Starts waiting for pauses.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    #if os(Linux)
      let watch = try PauseWatch(heartbeat: heartbeat, input)
      return try ProcessThread.run([watch]) { watch.close() }
    #else
      return {}
    #endif
  }
}

extension LifecycleSource where Self == ProcessPauseSource {
  /// Pauses of the process that nothing has announced.
  ///
  /// ```swift
  /// try bus.connect(.processPauses()).store(in: scope)
  /// ```
  ///
  /// - Parameter heartbeat: The interval at which the process wakes up to notice gaps, at least
  ///   10 ms, not counting the time that the machine sleeps; nil for none, which costs nothing
  ///   while the process is idle.
  public static func processPauses(heartbeat: Duration? = nil) -> Self {
    Self(heartbeat: heartbeat.map { max($0, .milliseconds(10)) })
  }
}
