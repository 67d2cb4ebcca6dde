/// A threshold that is written to a pressure file.
struct PressureTrigger: Hashable, Sendable {
  /// The level that it stands for.
  var level: MemoryPressureLevel
  /// The bytes to write; empty for none.
  var bytes: [UInt8]

  /// The thresholds of the levels in microseconds, in windows of 2 s, which need no privilege.
  static let standard = [
    Self(.low, "some 70000 2000000"), Self(.medium, "some 100000 2000000"),
    Self(.critical, "full 100000 2000000"),
  ]

  private init(_ level: MemoryPressureLevel, _ text: String) {
    // The kernel replaces the last byte by a zero.
    self.init(level: level, bytes: Array(text.utf8) + [0])
  }

  private init(level: MemoryPressureLevel, bytes: [UInt8]) {
    self.level = level
    self.bytes = bytes
  }

  /// Creates the trigger of bytes that the service manager has chosen, and guesses its level.
  init(chosen bytes: [UInt8]) {
    let words = bytes.split { $0 <= 32 }.map { String(decoding: $0, as: UTF8.self) }
    let microseconds = words.dropFirst().first.flatMap { Int($0) }
    let level: MemoryPressureLevel =
      if words.first == "full" {
        .critical
      } else if let microseconds, microseconds < 100_000 {
        .low
      } else {
        .medium
      }
    self.init(level: level, bytes: bytes)
  }
}
