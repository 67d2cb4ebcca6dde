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

  /// The duration in seconds, exact to the attosecond: `-0.25 s`.
  package var text: String {
    // Not its components, which trap beyond 2⁶³ s.
    let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000
    )
    let digits = String(rest)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    let sign = self < .zero ? "-" : ""
    return "\(sign)\(seconds)\(fraction.isEmpty ? "" : ".")\(fraction) s"
  }
}

/// A duration that is displayed as plain text.
package struct Seconds: Equatable, CustomStringConvertible, CustomReflectable {
  package let duration: Duration

  package init(_ duration: Duration) { self.duration = duration }

  package var description: String { duration.text }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
