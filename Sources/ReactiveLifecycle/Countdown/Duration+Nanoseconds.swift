extension Duration {
  /// Whole nanoseconds, rounded down, within ±2⁶¹ (73 years): sums and differences of two do not
  /// overflow. Half as long as a `Duration`, of which a countdown needs several.
  var nanoseconds: Int64 {
    let limit = Duration.nanoseconds(1 << 61)
    let (seconds, attoseconds) = min(max(self, .zero - limit), limit).components
    // Components are truncated towards zero.
    let part = attoseconds / 1_000_000_000 - (attoseconds % 1_000_000_000 < 0 ? 1 : 0)
    return seconds * 1_000_000_000 + part
  }

  /// Whole nanoseconds, rounded up.
  var nanosecondsRoundedUp: Int64 {
    let nanoseconds = nanoseconds
    return .nanoseconds(nanoseconds) < self ? min(nanoseconds + 1, 1 << 61) : nanoseconds
  }
}
