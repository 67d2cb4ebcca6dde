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
}
