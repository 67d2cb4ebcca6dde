import LifecycleSources

/// A reading of three clocks, with the time that it took.
struct ClockReading: Hashable, Sendable {
  /// The readings.
  var moment: SignalMoment
  /// The time in which all of them were read, in nanoseconds.
  var width: Int64

  /// The current reading.
  ///
  /// Another thread, or sleep, may come between the clocks; then they are read again.
  static var now: Self {
    var best = attempt()
    for _ in 0..<100 where best.width > 20_000 {
      let next = attempt()
      if next.width < best.width { best = next }
    }
    return best
  }

  private static func attempt() -> Self {
    let moment = SignalMoment.now
    return Self(moment: moment, width: SignalMoment.now.continuous - moment.continuous)
  }
}
