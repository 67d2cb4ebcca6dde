package import ReactiveLifecycle

/// Texts for people.
package enum Sentence {
  /// Returns `4:59`, for example, or `1:04:59` from an hour on.
  package static func time(_ seconds: Int) -> String {
    let (minutes, seconds) = seconds.quotientAndRemainder(dividingBy: 60)
    guard minutes >= 60 else { return "\(minutes):\(twoDigits(seconds))" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(seconds))"
  }

  /// Returns `3.0 s`, for example, or `1:30` from a minute on.
  package static func span(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(Double(tenths) / 10) s" : time((tenths + 5) / 10)
  }

  package static func description(of stay: BackgroundStay) -> String {
    let asleep = stay.timeAsleep < .seconds(1) ? "" : ", \(span(stay.timeAsleep)) of it asleep"
    return "Away for \(span(stay.timeAway))\(asleep)."
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension Duration {
  /// The duration in seconds, rounded up.
  package var wholeSeconds: Int {
    // A quotient of two durations is a number of 53 bits: 2,363 s would become 2,364.
    let (seconds, attoseconds) = components
    return Int(seconds) + (attoseconds > 0 ? 1 : 0)
  }

  /// The duration in seconds, rounded to the nearest millisecond.
  package var secondsInMilliseconds: Double {
    (self / .milliseconds(1)).rounded() / 1000
  }
}
