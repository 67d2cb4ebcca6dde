import LifecycleSupport

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

/// The identity of a boot: the run of the machine that an instant belongs to.
///
/// The continuous and the suspending clock count from the boot. Two of their readings can be
/// compared only if they were taken under the same identity. Data that outlives the process stores
/// the identity beside them.
public struct BootID: RawRepresentable, Sendable, Hashable, Codable {
  /// A text that differs from boot to boot.
  public let rawValue: String

  /// Creates an identity from its stored text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The identity of the machine's boot, without the offsets of a time namespace.
  package var machineBoot: Substring { rawValue.prefix { $0 != " " } }

  /// The identity that the operating system gives to this boot; nil if it can't be read.
  ///
  /// It is `/proc/sys/kernel/random/boot_id` on Linux, and `kern.bootsessionuuid` on Apple
  /// platforms. It is read once. In a time namespace, the offsets of its clocks belong to it.
  static let system: BootID? = SystemBoot.readID().map { BootID(rawValue: $0) }
}

extension BootID? {
  /// Returns a Boolean value that indicates whether two readings of the clocks were taken under the
  /// same boot, so that the time between them by the continuous clock is the time that has passed.
  ///
  /// If neither boot has an identity, the moments of the boot by both clocks decide: the time since
  /// 1970 minus the time since the boot. They agree unless the machine has booted or the wall clock
  /// was set. The tolerance is what the network may have corrected meanwhile: 10 s, and 100
  /// millionths of the time, which are 9 s a day. When they agree, so do the times that the two
  /// clocks show, so a restart that remains unnoticed does no harm, unless someone has set the wall
  /// clock back after it, to the right moment, and let the machine run as long as before it.
  ///
  /// - Parameters:
  ///   - now: The boot of the later reading.
  ///   - shift: The time by which the wall clock has advanced more than the continuous clock.
  ///   - elapsed: The time between the readings by the continuous clock. If it is negative, that
  ///     clock has started again.
  package func isSameBoot(as now: BootID?, wallShift shift: Duration, after elapsed: Duration)
    -> Bool
  {
    guard elapsed >= .zero else { return false }
    guard self == nil, now == nil else { return self == now }
    let tolerance = Duration.seconds(10) + elapsed.clamped / 10_000
    return max(shift, .zero - shift) <= tolerance
  }
}

extension BootID: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}
