/// One moment, read on three clocks.
///
/// Only differences are meaningful: the origin of the first two clocks is the boot of the machine.
///
/// Encoded and dumped, it has a reading for each clock: `continuous`, `suspending` and `wall`.
public struct LifecycleInstant: Sendable, Hashable {
  /// The instant of the continuous clock, which keeps counting while the device sleeps.
  public var continuous: ContinuousInstant
  /// The time since boot on the suspending clock, which stops while the device sleeps.
  public var timeAwake: Duration
  /// The time since 1970-01-01 00:00 UTC on the wall clock, which the user and the network can set.
  public var timeSince1970: Duration

  /// Creates an instant from the readings of the three clocks.
  public init(continuous: ContinuousInstant, timeAwake: Duration, timeSince1970: Duration) {
    self.continuous = continuous
    self.timeAwake = timeAwake
    self.timeSince1970 = timeSince1970
  }
}

extension LifecycleInstant: Codable {
  private enum CodingKeys: String, CodingKey {
    case continuous
    case timeAwake = "suspending"
    case timeSince1970 = "wall"
  }
}

extension LifecycleInstant: InstantProtocol {
  /// Returns a Boolean value that indicates whether the first instant is earlier on the continuous
  /// clock; if those readings are equal, on the suspending clock, then on the wall clock.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.continuous, lhs.timeAwake, lhs.timeSince1970)
      < (rhs.continuous, rhs.timeAwake, rhs.timeSince1970)
  }

  /// Returns the instant moved on all three clocks, as time moves them while the device is awake.
  ///
  /// ```swift
  /// let deadline = clock.now.advanced(by: .seconds(5))
  /// ```
  ///
  /// - Parameter duration: The distance to move; may be negative. No reading exceeds ±2⁶³ s.
  public func advanced(by duration: Duration) -> Self {
    func moved(_ reading: Duration) -> Duration { (reading.clamped + duration.clamped).clamped }
    return Self(
      continuous: continuous + duration,
      timeAwake: moved(timeAwake),
      timeSince1970: moved(timeSince1970)
    )
  }

  /// Returns the time to the other instant on the continuous clock; negative if it came before.
  public func duration(to other: Self) -> Duration {
    continuous.duration(to: other.continuous)
  }
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension LifecycleInstant: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "continuous": continuous, "suspending": Seconds(timeAwake), "wall": Seconds(timeSince1970),
      ],
      displayStyle: .struct
    )
  }
}
