extension Duration {
  /// The duration in seconds, rounded up.
  package var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up)) }

  /// The duration in seconds, rounded to the nearest millisecond.
  package var secondsInMilliseconds: Double {
    (self / .milliseconds(1)).rounded() / 1000
  }
}
