import Dispatch

extension Duration {
  /// The duration limited to ±2⁶³ s.
  ///
  /// No clock exceeds that, but a decoded instant may, and `Duration` traps on overflow. Several
  /// clamped durations can be added.
  package var clamped: Duration {
    min(max(self, Self.leastClamped), Self.greatestClamped)
  }

  // Stored, because computing each would take a 128-bit multiplication.
  private static let greatestClamped = Duration.seconds(Int64.max)
  private static let leastClamped = Duration.zero - greatestClamped

  /// The time to wait, rounded up to nanoseconds; zero for a negative duration.
  var dispatchInterval: DispatchTimeInterval {
    let nanoseconds = (self / .nanoseconds(1)).rounded(.up)
    // 10¹⁸ ns are 31 years; the longest durations do not fit in an `Int` of nanoseconds.
    return .nanoseconds(Int(min(max(nanoseconds, 0), 1e18)))
  }
}
