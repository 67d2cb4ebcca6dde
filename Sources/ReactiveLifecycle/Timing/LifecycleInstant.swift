/// One moment, read on three clocks.
///
/// Only differences mean something: the origin of the first two clocks is the boot of the machine.
public struct LifecycleInstant: Sendable, Hashable, Codable {
  /// The time since boot on the clock that goes on while the device sleeps.
  public var continuous: Duration
  /// The time since boot on the clock that stops while the device sleeps.
  public var suspending: Duration
  /// The time since 1970-01-01 00:00 UTC on the clock that the user and the network can set.
  public var wall: Duration

  /// An instant from the readings of the three clocks.
  public init(continuous: Duration, suspending: Duration, wall: Duration) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }
}

extension LifecycleInstant: InstantProtocol {
  /// Sooner on the continuous clock; among equal readings, on the suspending clock, then on the wall
  /// clock.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.continuous, lhs.suspending, lhs.wall) < (rhs.continuous, rhs.suspending, rhs.wall)
  }

  /// The same moment moved on all three clocks, as time moves them while the device is awake.
  ///
  /// ```swift
  /// let deadline = clock.now.advanced(by: .seconds(5))
  /// ```
  ///
  /// - Parameter duration: May be negative. No reading exceeds ±2⁶³ s.
  public func advanced(by duration: Duration) -> Self {
    func moved(_ reading: Duration) -> Duration { (reading.clamped + duration.clamped).clamped }
    return Self(
      continuous: moved(continuous),
      suspending: moved(suspending),
      wall: moved(wall)
    )
  }

  /// How long it is to the other instant on the continuous clock; negative if it came before.
  public func duration(to other: Self) -> Duration {
    other.continuous.clamped - continuous.clamped
  }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
extension LifecycleInstant: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "continuous": Seconds(continuous), "suspending": Seconds(suspending), "wall": Seconds(wall),
      ],
      displayStyle: .struct
    )
  }
}
