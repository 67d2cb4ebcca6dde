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
