import CLifecycleShims

/// The readings of three clocks in a signal handler, in nanoseconds.
///
/// Moments are ordered by the clock that never stops and is never set.
package struct SignalMoment: Hashable, Comparable, Sendable {
  /// The time since boot, including sleep.
  package var continuous: Int64
  /// The time since boot, excluding sleep.
  package var suspending: Int64
  /// The time since 1970.
  package var wall: Int64

  /// Creates a moment from the readings.
  package init(continuous: Int64, suspending: Int64, wall: Int64) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }

  /// A moment before every signal.
  package static let zero = Self(continuous: 0, suspending: 0, wall: 0)

  package static func < (left: Self, right: Self) -> Bool {
    left.continuous < right.continuous
  }
}

extension SignalMoment {
  /// Creates the moment of a record.
  init(_ record: lifecycle_record) {
    self.init(
      continuous: record.continuous,
      suspending: record.suspending,
      wall: record.wall
    )
  }

  /// The current moment.
  package static var now: Self {
    var record = lifecycle_record()
    lifecycle_read_clocks(&record)
    return Self(record)
  }
}
