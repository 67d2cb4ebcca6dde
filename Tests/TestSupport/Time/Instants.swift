public import LifecycleCore

extension Duration {
  /// The longest duration. `Duration(attoseconds: .max)` needs iOS 18.
  public static let longest =
    Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
    + Duration(
      secondsComponent: 4_120_486_796_083_267_205,
      attosecondsComponent: 687_303_715_884_105_727
    )
  /// The shortest duration, which is one attosecond further from zero.
  public static let shortest = .zero - longest - smallestStep
  public static let smallestStep = Duration(secondsComponent: 0, attosecondsComponent: 1)
}

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

/// The time of another clock with timers that never fire, as in a process that is stopped. It has no more
/// than a clock must have.
public struct TimerlessClock: LifecycleClock {
  private let clock: any LifecycleClock

  public init(_ clock: any LifecycleClock) { self.clock = clock }

  public var now: LifecycleInstant { clock.now }

  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    LifecycleCancellable {}
  }
}
