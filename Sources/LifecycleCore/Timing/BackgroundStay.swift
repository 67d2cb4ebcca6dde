/// A stay in the background, from entering it to coming back.
public struct BackgroundStay: Sendable, Hashable, Codable {
  /// The time away, including the device's sleep; never negative, however the clocks were changed.
  public let timeAway: Duration
  /// The part of ``timeAway`` that the device slept: `0 ≤ timeAsleep ≤ timeAway`.
  public let timeAsleep: Duration
  /// The distance that the wall clock was moved during the stay: positive if it was set forward,
  /// negative if it was set back.
  public let wallClockShift: Duration

  /// Creates the stay between two instants of the same boot.
  public init(from entered: LifecycleInstant, to returned: LifecycleInstant) {
    let continuous = returned.continuous - entered.continuous
    let suspending = returned.timeAwake.clamped - entered.timeAwake.clamped
    timeAway = max(continuous, .zero)
    timeAsleep = min(max(continuous - suspending, .zero), timeAway)
    let wall = returned.timeSince1970.clamped - entered.timeSince1970.clamped
    wallClockShift = wall - continuous
  }
}

extension BackgroundStay {
  private enum CodingKeys: String, CodingKey {
    case timeAway = "duration"
    case timeAsleep, wallClockShift
  }

  /// Decodes a stay.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if `0 ≤ timeAsleep ≤ timeAway` does not hold.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    timeAway = try container.decode(Duration.self, forKey: .timeAway)
    timeAsleep = try container.decode(Duration.self, forKey: .timeAsleep)
    wallClockShift = try container.decode(Duration.self, forKey: .wallClockShift)
    guard .zero <= timeAsleep, timeAsleep <= timeAway else {
      throw DecodingError.dataCorruptedError(
        forKey: .timeAsleep,
        in: container,
        debugDescription: """
          Expected a time asleep between zero and the time away of \(timeAway) but found \
          \(timeAsleep).
          """
      )
    }
  }
}

// `Duration` would show its storage: two halves of a number of attoseconds.
extension BackgroundStay: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "timeAway": Seconds(timeAway), "timeAsleep": Seconds(timeAsleep),
        "wallClockShift": Seconds(wallClockShift),
      ],
      displayStyle: .struct
    )
  }
}

extension BackgroundStay: CustomStringConvertible {
  /// The stay to the millisecond: `away 90 s, asleep 60 s, clock set by -3600 s`, without the last
  /// two parts if they are zero.
  public var description: String { text(rounding: \.inMilliseconds) }

  /// Returns `away 90 s, asleep 60 s, clock set by -3600 s`, without the last two parts if they are
  /// rounded to zero.
  ///
  /// - Parameter rounded: Returns the duration to write for a duration of the stay.
  package func text(rounding rounded: (Duration) -> Duration) -> String {
    let (asleep, shift) = (rounded(timeAsleep), rounded(wallClockShift))
    var parts = ["away \(rounded(timeAway).text)"]
    if asleep != .zero { parts.append("asleep \(asleep.text)") }
    if shift != .zero { parts.append("clock set by \(shift.text)") }
    return parts.joined(separator: ", ")
  }
}

extension Duration {
  /// The duration in whole milliseconds: three clocks can't be read at the same time.
  fileprivate var inMilliseconds: Duration {
    let (seconds, attoseconds) = clamped.components
    return .seconds(seconds) + .milliseconds(attoseconds / 1_000_000_000_000_000)
  }
}
