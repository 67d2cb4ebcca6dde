extension Duration {
  /// The same within ±2⁶³ s. No clock shows more than that, but an instant that was decoded may, and
  /// `Duration` traps on overflow. Several clamped durations can be added.
  package var clamped: Duration {
    let limit = Duration.seconds(Int64.max)
    return min(max(self, .zero - limit), limit)
  }
}
