public import ReactiveLifecycle

extension LifecycleInstant {
  /// An instant at which all three clocks show the same, however far that is.
  public init(everyClock reading: Duration) {
    self.init([reading, reading, reading])
  }

  /// An instant from three readings: of the continuous, the suspending and the wall clock.
  public init(_ readings: [Duration]) {
    self.init(
      continuous: ContinuousInstant(timeSinceBoot: readings[0]),
      timeAwake: readings[1],
      timeSince1970: readings[2]
    )
  }

  /// The three readings, in the same order.
  public var readings: [Duration] { [continuous.timeSinceBoot, timeAwake, timeSince1970] }
}
