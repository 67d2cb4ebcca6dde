/// An instant of the continuous clock, which keeps counting while the device sleeps.
///
/// ```swift
/// let start = clock.continuous
/// clock.advance(by: .seconds(90))
/// print(clock.continuous - start)  // 90.0 seconds
/// ```
///
/// Two instants can be compared only if they belong to the same boot of the machine; see
/// ``BootID``. Arithmetic never overflows: it stops at ±2⁶³ s since boot, which no clock
/// exceeds.
///
/// An instant is encoded as its ``timeSinceBoot``.
public struct ContinuousInstant: Sendable, Hashable {
  /// The time since boot, including the device's sleep.
  public var timeSinceBoot: Duration

  /// Creates the instant at which that time has passed since boot.
  public init(timeSinceBoot: Duration) {
    self.timeSinceBoot = timeSinceBoot
  }

  /// The boot of the machine: the origin of the clock.
  ///
  /// ```swift
  /// let instant = LifecycleInstant(
  ///   continuous: .boot + .seconds(90),
  ///   timeAwake: .seconds(60),
  ///   timeSince1970: .seconds(1_767_225_600)
  /// )
  /// ```
  public static var boot: Self { Self(timeSinceBoot: .zero) }
}

extension ContinuousInstant: InstantProtocol {
  /// Returns a Boolean value that indicates whether the first instant came before the second.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.timeSinceBoot < rhs.timeSinceBoot }

  /// Returns the instant that comes later by a duration.
  ///
  /// ```swift
  /// let deadline = clock.continuous + .seconds(5)
  /// clock.schedule(at: deadline) { trace("five seconds") }.store(in: scope)
  /// ```
  ///
  /// - Parameter duration: The distance to the instant; may be negative.
  /// - Returns: The instant; at most 2⁶³ s before or after the boot.
  public func advanced(by duration: Duration) -> Self {
    Self(timeSinceBoot: timeSinceBoot.clamped + duration.clamped).clamped
  }

  /// Returns the time from this instant to another one; negative if the other one came before.
  public func duration(to other: Self) -> Duration {
    other.timeSinceBoot.clamped - timeSinceBoot.clamped
  }

  /// The instant limited to ±2⁶³ s since boot, as every result of arithmetic is.
  package var clamped: Self { Self(timeSinceBoot: timeSinceBoot.clamped) }
}

// The standard library has these for each of its instants, but not for `InstantProtocol`.
extension ContinuousInstant {
  /// Returns the instant that comes later by a duration; see ``advanced(by:)``.
  public static func + (lhs: Self, rhs: Duration) -> Self { lhs.advanced(by: rhs) }

  /// Moves an instant to a later one; see ``advanced(by:)``.
  public static func += (lhs: inout Self, rhs: Duration) { lhs = lhs.advanced(by: rhs) }

  /// Returns the instant that came earlier by a duration; see ``advanced(by:)``.
  public static func - (lhs: Self, rhs: Duration) -> Self {
    // Not the other way round: the smallest duration has no opposite.
    lhs.advanced(by: .zero - rhs.clamped)
  }

  /// Moves an instant to an earlier one; see ``advanced(by:)``.
  public static func -= (lhs: inout Self, rhs: Duration) { lhs = lhs - rhs }

  /// Returns the time from the second instant to the first; negative if the first one came before.
  public static func - (lhs: Self, rhs: Self) -> Duration { rhs.duration(to: lhs) }
}

// Encoded as a duration, so that stored countdowns and events keep their form.
extension ContinuousInstant: Codable {
  public init(from decoder: any Decoder) throws {
    timeSinceBoot = try decoder.singleValueContainer().decode(Duration.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(timeSinceBoot)
  }
}

extension ContinuousInstant: CustomStringConvertible {
  /// The seconds since boot, exact to the attosecond: `90.25 s`.
  public var description: String { timeSinceBoot.text }
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension ContinuousInstant: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
