import CLifecycleShims

/// The three clocks as a signal handler reads them, in nanoseconds; ordered by the one that never
/// stops and is never set.
package struct SignalMoment: Hashable, Comparable, Sendable {
  /// Since boot, sleep included.
  package var continuous: Int64
  /// Since boot, without sleep.
  package var suspending: Int64
  /// Since 1970.
  package var wall: Int64

  /// The moment of these readings.
  package init(continuous: Int64, suspending: Int64, wall: Int64) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }

  /// Before every signal.
  package static let zero = Self(continuous: 0, suspending: 0, wall: 0)

  package static func < (left: Self, right: Self) -> Bool {
    left.continuous < right.continuous
  }
}

extension SignalMoment {
  /// The moment of a record.
  init(_ record: lifecycle_record) {
    self.init(
      continuous: record.continuous,
      suspending: record.suspending,
      wall: record.wall
    )
  }

  /// Now.
  static var now: Self {
    var record = lifecycle_record()
    lifecycle_read_clocks(&record)
    return Self(record)
  }
}
