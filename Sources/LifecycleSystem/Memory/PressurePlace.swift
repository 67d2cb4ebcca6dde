/// A place where this process may learn of memory pressure, and what to write there.
struct PressurePlace: Hashable, Sendable {
  var path: String
  var triggers: [PressureTrigger]
  /// The place in words.
  var text: String
}

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
      let bytes = write.flatMap { [UInt8](base64: $0) } ?? []
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

extension [UInt8] {
  /// Decodes Base64; nil if the text is none.
  init?(base64 text: String) {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in text.utf8 where character != UInt8(ascii: "=") {
      guard let value = Self.base64Value(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    self = bytes
  }

  private static func base64Value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
