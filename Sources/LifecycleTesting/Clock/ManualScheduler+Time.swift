public import LifecycleCombine
public import ReactiveLifecycle

extension ManualScheduler {
  /// An instant of the continuous clock.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The instant, in the terms of `LifecycleClock.continuous`.
    public var continuous: ContinuousInstant

    /// Creates the time at an instant.
    public init(continuous: ContinuousInstant) {
      self.continuous = continuous
    }

    public func distance(to other: Self) -> Stride {
      Stride(continuous.duration(to: other.continuous))
    }

    public func advanced(by stride: Stride) -> Self {
      Self(continuous: continuous + stride.duration)
    }
  }
}

extension ManualScheduler.SchedulerTimeType {
  /// A time interval, whose literals are in seconds. It never exceeds ±2⁶³ s.
  public struct Stride: Hashable, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    SchedulerTimeIntervalConvertible, Sendable
  {
    /// The interval in the unit of the clocks.
    public private(set) var duration: Duration

    /// Creates an interval of a duration.
    public init(_ duration: Duration) {
      self.duration = duration.clamped
    }

    public init(integerLiteral seconds: Int) {
      self.init(.seconds(seconds))
    }

    public init(floatLiteral seconds: Double) {
      self = .seconds(seconds)
    }

    public init?(exactly seconds: some BinaryInteger) {
      guard let seconds = Int64(exactly: seconds) else { return nil }
      self.init(.seconds(seconds))
    }

    public static func seconds(_ seconds: Int) -> Self { Self(.seconds(seconds)) }

    public static func seconds(_ seconds: Double) -> Self {
      let limit = 9e18
      return seconds.isNaN ? .zero : Self(.seconds(min(max(seconds, -limit), limit)))
    }

    public static func milliseconds(_ milliseconds: Int) -> Self {
      Self(.milliseconds(milliseconds))
    }

    public static func microseconds(_ microseconds: Int) -> Self {
      Self(.microseconds(microseconds))
    }

    public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(.nanoseconds(nanoseconds)) }

    public var magnitude: Self { max(self, Self(.zero - duration)) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.duration < rhs.duration }
    public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.duration + rhs.duration) }
    public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.duration - rhs.duration) }

    /// Returns the product of the two numbers of seconds, in seconds.
    public static func * (lhs: Self, rhs: Self) -> Self {
      let second = Duration.seconds(1).attoseconds
      let product = lhs.duration.attoseconds.multipliedFullWidth(by: rhs.duration.attoseconds)
      guard product.high.magnitude < second.magnitude / 4 else {
        let isNegative = (lhs < .zero) != (rhs < .zero)
        return Self(Duration(attoseconds: isNegative ? .min : .max))
      }
      return Self(Duration(attoseconds: second.dividingFullWidth(product).quotient))
    }

    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}
