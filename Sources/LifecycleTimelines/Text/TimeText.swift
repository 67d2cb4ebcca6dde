#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Times, written for people.
enum TimeText {
  /// Returns a duration with its two greatest units: `2 d 6 h`, `1 min 30 s`, `2.5 s`, `40 ms`.
  ///
  /// - Parameter seconds: The duration; no more than 10¹² s are written.
  static func duration(_ seconds: Double) -> String {
    if seconds < 0 { return "-" + duration(-seconds) }
    let seconds = min(seconds, TimeAxis.longest)
    if seconds < 0.000_999_5 { return "\(Int((seconds * 1e6).rounded())) µs" }
    if seconds < 0.009_995 { return decimal((seconds * 1e3 * 100).rounded() / 100) + " ms" }
    if seconds < 0.999_5 { return "\(Int((seconds * 1e3).rounded())) ms" }
    if seconds < 9.995 { return decimal((seconds * 100).rounded() / 100) + " s" }
    if seconds < 59.95 { return decimal((seconds * 10).rounded() / 10) + " s" }
    let whole = Int(seconds.rounded())
    if whole < 3_600 { return pair(whole / 60, "min", whole % 60, "s") }
    let minutes = (whole + 30) / 60
    if minutes < 1_440 { return pair(minutes / 60, "h", minutes % 60, "min") }
    let hours = (whole + 1_800) / 3_600
    return pair(hours / 24, "d", hours % 24, "h")
  }

  private static func pair(_ first: Int, _ unit: String, _ second: Int, _ part: String) -> String {
    second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(part)"
  }

  private static func decimal(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the time since the start for a list: `+90.250`, in seconds.
  static func elapsed(_ seconds: Double) -> String {
    let milliseconds = Int((min(max(seconds, -TimeAxis.longest), TimeAxis.longest) * 1e3).rounded())
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
    let digits = String(rest)
    let zeros = String(repeating: "0", count: 3 - digits.count)
    return "\(milliseconds < 0 ? "-" : "+")\(whole).\(zeros)\(digits)"
  }

  /// Returns the time on the axis: `+12.345 s`, `+00:01:30.250`, `+2 d 09:26:25.738`.
  static func position(_ seconds: Double) -> String {
    let elapsed = elapsed(seconds)
    let thousandths = Int((min(max(seconds, 0), TimeAxis.longest) * 1e3).rounded())
    if thousandths < 60_000 { return elapsed + " s" }
    let whole = thousandths / 1_000
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let days = whole >= 86_400 ? "\(whole / 86_400) d " : ""
    let clock = [whole / 3_600 % 24, whole / 60 % 60, whole % 60].map(two).joined(separator: ":")
    return "+\(days)\(clock)\(elapsed.suffix(4))"
  }

  /// Returns the date and the time of day in UTC: `2026-01-15 09:26:40`.
  ///
  /// - Parameter seconds: The time since 1970-01-01 00:00 UTC.
  static func wall(_ seconds: Double) -> String {
    let date = Date(timeIntervalSince1970: seconds.rounded(.down))
    let text = date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    return text.hasSuffix("Z") ? String(text.dropLast()) : text
  }

  /// Returns the time since 1970 if it can be a date: from 1971 to 9999.
  static func date(_ time: Duration) -> Double? {
    let seconds = time / .seconds(1)
    return (31_536_000..<253_402_300_800).contains(seconds) ? seconds : nil
  }
}
