#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
#else
  import struct Foundation.Data
#endif

/// The places to try, in order.
enum PressurePlan: Hashable, Sendable {
  case places([PressurePlace])
  /// The service manager asks the process not to watch.
  case disabled

  /// Creates the plan of a process.
  ///
  /// The rules come from systemd's *Memory Pressure Handling*
  /// (https://systemd.io/MEMORY_PRESSURE).
  ///
  /// - Parameters:
  ///   - watch: The variable `MEMORY_PRESSURE_WATCH`.
  ///   - write: The variable `MEMORY_PRESSURE_WRITE`.
  ///   - group: The folder of the process's control group.
  init(watch: String?, write: String?, group: String?) {
    if watch == "/dev/null" {
      self = .disabled
      return
    }
    var places: [PressurePlace] = []
    if let watch, watch.hasPrefix("/") {
      let bytes = write.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
      places.append(.init(path: watch, triggers: [.init(chosen: bytes)], text: watch))
    }
    if let group {
      let path = "\(group)/memory.pressure"
      places.append(
        .init(path: path, triggers: PressureTrigger.standard, text: "the control group")
      )
    }
    let system = "/proc/pressure/memory"
    places.append(.init(path: system, triggers: PressureTrigger.standard, text: system))
    self = .places(places)
  }
}
