/// What a closed gate does with values.
public enum LifecycleGateHolding: Sendable, Hashable {
  /// What to do with a value when as many as allowed are held.
  public enum WhenFull: Sendable, Hashable {
    /// The oldest of those held is dropped.
    case dropOldest
    /// The new one is dropped.
    case dropNewest
  }

  /// Values are dropped.
  case none
  /// The latest value is held; it replaces the one before it.
  case latest
  /// As many values as the limit are held, in order. A limit below 1 is reported at the caller's line
  /// and holds nothing.
  case all(limit: Int, whenFull: WhenFull)

  /// Which of the values that are waiting, oldest first, a closed gate does not hold.
  func excess(of count: Int) -> Range<Int> {
    switch self {
    case .none: 0..<count
    case .latest: 0..<max(count - 1, 0)
    case .all(let limit, .dropOldest): 0..<max(count - max(limit, 0), 0)
    case .all(let limit, .dropNewest): min(max(limit, 0), count)..<count
    }
  }
}
