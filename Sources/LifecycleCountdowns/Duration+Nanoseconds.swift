import ReactiveLifecycle

extension Duration {
  /// The duration in whole nanoseconds, rounded down, within ±2⁶¹ (73 years), so that sums and
  /// differences of two do not overflow.
  ///
  /// It takes half the size of a `Duration`, and a countdown stores several.
  var nanoseconds: Int64 { nanoseconds(roundedUp: false) }

  /// The duration in whole nanoseconds, rounded up, within the same bounds.
  var nanosecondsRoundedUp: Int64 { nanoseconds(roundedUp: true) }

  @inline(__always)
  private func nanoseconds(roundedUp: Bool) -> Int64 {
    let limit: Int64 = 1 << 61
    let (seconds, attoseconds) = clamped.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? -limit : limit }
    // Both components have the sign of the duration, and this division truncates.
    let (part, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let step: Int64 = roundedUp ? (rest > 0 ? 1 : 0) : (rest < 0 ? -1 : 0)
    let sum = min(max(whole, -2 * limit), 2 * limit - 1) + part + step
    return min(max(sum, -limit), limit)
  }
}
