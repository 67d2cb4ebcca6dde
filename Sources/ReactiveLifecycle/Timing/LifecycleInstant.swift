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
