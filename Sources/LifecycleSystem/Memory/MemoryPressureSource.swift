import LifecycleSources
public import ReactiveLifecycle

#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

/// Feeds a bus with memory warnings, by the kernel's measure of tasks that wait for memory.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | tasks wait for memory | `didReceiveMemoryWarning`, with ``ReactiveLifecycle/LifecycleEvent/memoryPressure`` |
/// | the level rises | the same at once |
/// | they still wait | the same, every 10 s at most |
///
/// ```swift
/// try bus.connect(.memoryPressure()).store(in: scope)
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

  /// `available` where the kernel measures pressure, and lets the process watch it.
  public var availability: SystemAvailability {
    #if os(Linux)
      let group = try? ControlGroup.current
      guard case .places(let places) = Self.plan(in: group) else {
        return .unavailable(because: "MEMORY_PRESSURE_WATCH is /dev/null")
      }
      var reasons: [String] = []
      for place in places {
        do throws(SystemFailure) {
          try PressureFiles(place).close()
          return .available(by: place.text)
        } catch {
          reasons.append(error.reason)
        }
      }
      return .unavailable(because: reasons.joined(separator: ", and "))
    #else
      return .unavailable(because: "this platform reports it through its notification center")
    #endif
  }

  /// Starts waiting for memory pressure.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    #if os(Linux)
      let group = try availableResult { () throws(SystemFailure) in try ControlGroup.current }
      guard case .places(let places) = Self.plan(in: group) else { return {} }
      let feed = try PressureFeed(places, input)
      guard feed.isOpen else { return {} }
      let watches = MemoryPressureLevel.allCases.map { PressureWatch($0, feed) }
      return try ProcessThread.run(watches) { feed.close() }
    #else
      return {}
    #endif
  }

  #if os(Linux)
    private static func plan(in group: ControlGroup?) -> PressurePlan {
      PressurePlan(
        watch: variable("MEMORY_PRESSURE_WATCH"),
        write: variable("MEMORY_PRESSURE_WRITE"),
        group: group?.folder
      )
    }

    private static func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }
    }
  #endif
}

extension LifecycleSource where Self == MemoryPressureSource {
  /// Memory pressure, as the kernel measures it.
  ///
  /// ```swift
  /// try bus.connect(.memoryPressure()).store(in: scope)
  /// ```
  public static func memoryPressure() -> Self { Self() }
}
