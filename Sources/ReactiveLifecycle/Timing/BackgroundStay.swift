/// How long the process was away, from entering the background to coming back.
public struct BackgroundStay: Sendable, Hashable, Codable {
  /// The time away, sleep of the device included; never negative, whatever happened to the clock.
  public let duration: Duration
  /// How much of ``duration`` the device slept: `0 ≤ asleep ≤ duration`.
  public let asleep: Duration
  /// How far the wall clock was moved meanwhile: positive when it was set forward, negative when it
  /// was set back.
  public let wallClockShift: Duration

  /// The stay between two instants of the same boot.
  public init(from entered: LifecycleInstant, to returned: LifecycleInstant) {
    let continuous = returned.continuous - entered.continuous
    let suspending = returned.suspending - entered.suspending
    duration = max(continuous, .zero)
    asleep = min(max(continuous - suspending, .zero), duration)
    wallClockShift = (returned.wall - entered.wall) - continuous
  }
}
