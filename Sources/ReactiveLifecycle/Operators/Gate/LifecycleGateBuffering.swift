public import LifecycleCombine

extension Publishers {
  /// The values that a closed gate keeps: see `gate(_:of:buffering:)`.
  public struct LifecycleGateBuffering: Sendable, Hashable {
    /// The value to drop when the limit of kept values is reached.
    public struct WhenFull: Sendable, Hashable {
      enum Choice: String, Sendable, Hashable, Codable { case dropOldest, dropNewest }

      let choice: Choice

      /// Drops the oldest of the kept values.
      public static let dropOldest = Self(choice: .dropOldest)
      /// Drops the new value.
      public static let dropNewest = Self(choice: .dropNewest)
    }

    enum Policy: Sendable, Hashable {
      case drop
      case latest
      case all(limit: Int, WhenFull)
    }

    let policy: Policy

    /// Drops all values.
    public static let drop = Self(policy: .drop)

    /// Keeps the latest value, which replaces the one before it.
    public static let latest = Self(policy: .latest)

    /// Keeps as many values as the limit, in order.
    ///
    /// - Parameters:
    ///   - limit: The number of values. A limit below 1 keeps nothing, and the gate reports it at
    ///     the caller's line.
    ///   - whenFull: The value to drop when the limit is exceeded.
    public static func all(limit: Int, whenFull: WhenFull) -> Self {
      Self(policy: .all(limit: limit, whenFull))
    }

    /// Returns the positions of the waiting values, oldest first, that a closed gate does not keep.
    func excess(of count: Int) -> Range<Int> {
      switch policy {
      case .drop: 0..<count
      case .latest: 0..<max(count - 1, 0)
      case .all(let limit, .dropOldest): 0..<max(count - max(limit, 0), 0)
      case .all(let limit, _): min(max(limit, 0), count)..<count
      }
    }
  }
}
