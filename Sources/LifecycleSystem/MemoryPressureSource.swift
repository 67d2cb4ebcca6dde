public import LifecycleCore
import LifecycleProcess
import LifecycleSupport

/// Feeds a bus with memory warnings, by the kernel's measure of tasks that wait for memory.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | tasks wait for memory | `didReceiveMemoryWarning`, with ``LifecycleCore/LifecycleEvent/memoryPressure`` |
/// | the level rises | the same at once |
/// | they still wait | the same, every 10 s at most |
///
/// ```swift
/// try bus.connect(.memoryPressure(), in: scope)
/// bus.addObserver(for: [.didReceiveMemoryWarning], in: scope) { event in
///   if event.memoryPressure ?? .critical >= .medium { cache.removeAll() }
/// }
/// ```
///
/// The source uses the first of these that works: what the service manager names in
/// `MEMORY_PRESSURE_WATCH` (systemd 254 and later), the process's control group, and the whole
/// system. The name `/dev/null` switches the source off. If a control group is removed, the next
/// choice takes its place. The kernel wakes the process; there is no polling.
///
/// Warnings of the whole system include those of control groups that have reached their own limits.
/// The kernel reports pressure after a window of 2 s, so a process that allocates all its memory
/// faster than that may be ended without a warning.
///
/// On Apple platforms, the sources of UIKit report memory warnings, and this one is unavailable.
///
/// > Note: The rules come from the kernel's `Documentation/accounting/psi.rst`, and from systemd's
/// > *Memory Pressure Handling*.
public struct MemoryPressureSource: SystemSource {
  /// The name of the source, `memoryPressure`.
  public var name: LifecycleSourceName { "memoryPressure" }
}

extension LifecycleSource where Self == MemoryPressureSource {
  /// Memory pressure, as the kernel measures it.
  ///
  /// ```swift
  /// try bus.connect(.memoryPressure(), in: scope)
  /// ```
  public static func memoryPressure() -> Self { Self() }
}

/// The severity of a memory warning.
///
/// The levels are those of GLib's `GMemoryMonitor`.
@nonexhaustive
public enum MemoryPressureLevel: String, Hashable, Sendable, CaseIterable {
  /// Some task waited for memory for 70 ms of 2 s: release what is easily loaded again.
  case low
  /// Some task waited for 100 ms of 2 s: release caches.
  case medium
  /// All tasks waited for 100 ms of 2 s at the same time: release whatever possible; the kernel may
  /// soon end processes.
  case critical
}

extension MemoryPressureLevel: Comparable {
  /// Returns a Boolean value that indicates whether the first level is less severe.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .low: 0
    case .medium: 1
    case .critical: 2
    }
  }
}

extension LifecycleEvent {
  static let memoryPressureKey = "memoryPressure"

  /// The level of a memory warning, from the metadata that ``MemoryPressureSource`` adds; nil if
  /// the event has none.
  public var memoryPressure: MemoryPressureLevel? {
    metadata[Self.memoryPressureKey].flatMap(MemoryPressureLevel.init)
  }
}

/// A state machine that limits the rate of memory warnings.
///
/// While pressure lasts, the kernel reports it for each level, in every window. A warning is due at
/// once if it is more severe than the last one, and otherwise when enough time has passed since
/// then: with the most severe level of the current window.
struct PressureMachine: Hashable, Sendable {
  typealias Instant = SuspendingClock.Instant

  /// The least time between two warnings of the same level, or with the lesser level after the
  /// greater.
  static let interval = Duration.seconds(10)
  /// The time for which a report of the kernel counts: a window, and some time on a busy machine.
  static let window = Duration.milliseconds(2_500)

  private struct Report: Hashable, Sendable {
    var level: MemoryPressureLevel
    var instant: Instant
  }

  private var reports: [MemoryPressureLevel: Instant] = [:]
  private var last: Report?

  /// Handles a report of the kernel, and returns the level to warn of; nil for no warning.
  mutating func handle(_ level: MemoryPressureLevel, at instant: Instant) -> MemoryPressureLevel? {
    reports[level] = instant
    let current = reports.filter { instant - $0.value < Self.window }.keys.max() ?? level
    if let last, current <= last.level, instant - last.instant < Self.interval { return nil }
    last = Report(level: current, instant: instant)
    return current
  }
}

#if os(Linux)
  extension MemoryPressureSource {
    /// The facility by which the source reports, or the reason why it reports nothing.
    public var availability: SystemAvailability {
      let group = try? ControlGroup.current
      guard case .interfaces(let interfaces) = Self.plan(in: group) else {
        return .unavailable(because: "MEMORY_PRESSURE_WATCH is /dev/null")
      }
      var reasons: [String] = []
      for interface in interfaces {
        do throws(SystemFailure) {
          try PressureFiles(interface).close()
          return .available(by: interface.text)
        } catch {
          reasons.append(error.reason)
        }
      }
      return .unavailable(because: reasons.joined(separator: ", and "))
    }

    /// Starts waiting for memory pressure.
    ///
    /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
    public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
      let group = try availableResult { () throws(SystemFailure) in try ControlGroup.current }
      guard case .interfaces(let interfaces) = Self.plan(in: group) else { return {} }
      let monitor = try PressureMonitor(interfaces, feed)
      guard monitor.isOpen else { return {} }
      let watches = MemoryPressureLevel.allCases.map { PressureWatch($0, monitor) }
      return try ProcessThread.run(watches) { monitor.close() }
    }

    private static func plan(in group: ControlGroup?) -> PressurePlan {
      func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
      return PressurePlan(
        watch: variable("MEMORY_PRESSURE_WATCH"),
        write: variable("MEMORY_PRESSURE_WRITE"),
        group: group?.folder
      )
    }
  }

  /// The watch of one level.
  final class PressureWatch: ProcessWatch {
    private let level: MemoryPressureLevel
    private let monitor: PressureMonitor
    /// The generation of the interface whose descriptor is polled.
    private let generation = Locked(0)

    fileprivate init(_ level: MemoryPressureLevel, _ monitor: PressureMonitor) {
      self.level = level
      self.monitor = monitor
    }

    var interest: ProcessWatchInterest {
      let (interest, number) = monitor.interest(of: level)
      generation.withLock { $0 = number }
      return interest
    }

    func handle(_ moment: ProcessWatchMoment) {
      guard case .ready(let events) = moment else { return }
      monitor.handle(level, events, from: generation.withLock { $0 })
    }
  }

  /// The parts that the watches of all levels share: the files of the interface in use, and the
  /// limit of the rate.
  private final class PressureMonitor: Sendable {
    private struct State {
      var machine = PressureMachine()
      var files: PressureFiles?
      /// The number of interfaces that were used so far.
      var generation = 0
      /// The interfaces that remain to be tried.
      var interfaces: ArraySlice<PressureInterface>
    }

    private let state: Locked<State>
    private let feed: LifecycleFeed

    init(
      _ interfaces: [PressureInterface],
      _ feed: LifecycleFeed
    ) throws(ProcessSignalSource.StartError) {
      self.feed = feed
      state = Locked(State(interfaces: interfaces[...]))
      try useNextInterface()
    }

    /// A Boolean value that indicates whether there is an interface.
    var isOpen: Bool { state.withLock { $0.files != nil } }

    /// The descriptor of a level, with the events to wait for, and its generation; no descriptor
    /// if there is none.
    func interest(of level: MemoryPressureLevel) -> (ProcessWatchInterest, generation: Int) {
      state.withLock { state in
        guard let files = state.files, let descriptor = files.descriptor(of: level)
        else { return (ProcessWatchInterest(), state.generation) }
        let interest = ProcessWatchInterest(descriptor: descriptor, events: files.events)
        return (interest, state.generation)
      }
    }

    /// Handles the events of a level's descriptor.
    ///
    /// All levels of an interface fail together: what the others report then concerns one that is
    /// no longer in use.
    func handle(_ level: MemoryPressureLevel, _ events: Int16, from generation: Int) {
      let (interest, current) = interest(of: level)
      guard generation == current else { return }
      let descriptor = interest.descriptor
      let isAtEnd =
        events & Int16(POLLIN) != 0 && descriptor.map { !PressureFiles.drain($0) } == true
      // POLLERR: the control group was removed.
      if isAtEnd || events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
        // What was closed before leaves descriptors for the next interface.
        try? useNextInterface()
        return
      }
      let warning = state.withLock { $0.machine.handle(level, at: .now) }
      guard let warning else { return }
      feed.post(
        .didReceiveMemoryWarning,
        [LifecycleEvent.memoryPressureKey: warning.rawValue]
      )
    }

    func close() {
      state.withLock { $0.files.take() }?.close()
    }

    /// Closes the files of an interface that has failed, and opens those of the next that works.
    private func useNextInterface() throws(ProcessSignalSource.StartError) {
      close()
      while let interface = state.withLock({ $0.interfaces.popFirst() }) {
        let files = try availableResult { () throws(SystemFailure) in try PressureFiles(interface) }
        guard let files else { continue }
        state.withLock { state in
          state.files = files
          state.generation += 1
        }
        return
      }
    }
  }

#endif
