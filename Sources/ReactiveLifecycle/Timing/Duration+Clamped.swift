extension Duration {
  /// The same within ±2⁶³ s. No clock shows more than that, but an instant that was decoded may, and
  /// `Duration` traps on overflow. Several clamped durations can be added.
  package var clamped: Duration {
    min(max(self, Self.leastClamped), Self.greatestClamped)
  }

  // Stored: each would take a multiplication of 128 bits.
  private static let greatestClamped = Duration.seconds(Int64.max)
  private static let leastClamped = Duration.zero - greatestClamped
}
