/// The severity of a memory warning.
///
/// The levels are those of GLib's `GMemoryMonitor`.
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
