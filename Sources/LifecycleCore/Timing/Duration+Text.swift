extension Duration {
  /// The duration in seconds, exact to the attosecond: `-0.25 s`. No more than 2⁶³ s are written.
  package var text: String {
    let (seconds, rest) = clamped.components
    let digits = String(rest.magnitude)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    let sign = self < .zero ? "-" : ""
    return "\(sign)\(seconds.magnitude)\(fraction.isEmpty ? "" : ".")\(fraction) s"
  }

  /// The duration with its two greatest units, rounded, for people: `2 d 6 h`, `1 min 30 s`,
  /// `2.5 s`, `40 ms`. No more than 10¹² s are written.
  package var shortText: String {
    if self < .zero { return "-" + (.zero - clamped).shortText }
    let seconds = min(self / .seconds(1), 1e12)
    if seconds < 0.000_999_5 { return "\(Int((seconds * 1e6).rounded())) µs" }
    if seconds < 0.009_995 { return "\(Self.rounded(seconds * 1e3, to: 100)) ms" }
    if seconds < 0.999_5 { return "\(Int((seconds * 1e3).rounded())) ms" }
    if seconds < 9.995 { return "\(Self.rounded(seconds, to: 100)) s" }
    if seconds < 59.95 { return "\(Self.rounded(seconds, to: 10)) s" }
    let whole = Int(seconds.rounded())
    if whole < 3_600 { return Self.pair(whole / 60, "min", whole % 60, "s") }
    let minutes = (whole + 30) / 60
    if minutes < 1_440 { return Self.pair(minutes / 60, "h", minutes % 60, "min") }
    let hours = (whole + 1_800) / 3_600
    return Self.pair(hours / 24, "d", hours % 24, "h")
  }

  private static func pair(_ first: Int, _ unit: String, _ second: Int, _ part: String) -> String {
    second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(part)"
  }

  private static func rounded(_ value: Double, to parts: Double) -> String {
    let text = "\((value * parts).rounded() / parts)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// A duration that is displayed as plain text.
package struct Seconds: Equatable, CustomStringConvertible, CustomReflectable {
  package let duration: Duration

  package init(_ duration: Duration) { self.duration = duration }

  package var description: String { duration.text }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
