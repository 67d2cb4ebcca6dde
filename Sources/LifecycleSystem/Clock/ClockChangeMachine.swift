import LifecycleSources

/// A state machine that tells sleep from a wall clock that was set.
///
/// Sleep moves the clock that counts it away from the one that does not. Setting the wall clock
/// moves that one away from both. The speed at which the network corrects the clocks is the same
/// for all three, so a slow correction moves none away from another.
struct ClockChangeMachine: Hashable, Sendable {
  /// A change since the reading before.
  enum Change: Hashable, Sendable {
    /// The machine slept.
    case sleep(Duration)
    /// The wall clock was moved; negative if it was set back.
    case shift(Duration)
  }

  /// The least sleep that is reported, in nanoseconds.
  static let leastSleep: Int64 = 10_000_000
  /// The least shift that is reported, in nanoseconds. Smaller ones add up.
  static let leastShift: Int64 = 100_000_000

  /// The time slept since boot, and the difference of the wall clock, when they were last reported.
  private var asleep: Int64
  private var offset: Int64

  /// Creates a machine that reports what changes after a reading.
  init(_ reading: ClockReading) {
    (asleep, offset) = (Self.asleep(reading), Self.offset(reading))
  }

  /// Handles a reading, and returns the changes: first sleep, during which the clock may have been
  /// set by others.
  mutating func handle(_ reading: ClockReading) -> [Change] {
    var changes: [Change] = []
    let slept = Self.asleep(reading) - asleep
    if slept >= Self.leastSleep + reading.width {
      asleep += slept
      changes.append(.sleep(.nanoseconds(slept)))
    }
    let shift = Self.offset(reading) - offset
    if abs(shift) >= Self.leastShift + reading.width {
      offset += shift
      changes.append(.shift(.nanoseconds(shift)))
    }
    return changes
  }

  private static func asleep(_ reading: ClockReading) -> Int64 {
    reading.moment.continuous - reading.moment.suspending
  }

  private static func offset(_ reading: ClockReading) -> Int64 {
    reading.moment.wall - reading.moment.continuous
  }
}
