extension Duration {
  /// Seconds, rounded up.
  package var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up)) }

  /// Seconds, rounded to the nearest millisecond.
  package var secondsInMilliseconds: Double {
    (self / .milliseconds(1)).rounded() / 1000
  }
}
