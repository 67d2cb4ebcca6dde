import CustomDump
import Testing

@testable import LifecycleCountdowns

@Suite("Countdown: durations in nanoseconds")
struct CountdownDurationTests {
  @Test(
    "Rounded down and up, also below zero",
    arguments: [
      (1_500_000_000, 1, 2), (1_000_000_000, 1, 1), (1, 0, 1), (0, 0, 0), (-1, -1, 0),
      (-999_999_999, -1, 0), (-1_000_000_000, -1, -1), (-1_500_000_000, -2, -1),
    ] as [(Int64, Int64, Int64)]
  )
  func rounded(_ attoseconds: Int64, _ down: Int64, _ up: Int64) {
    let duration = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
    expectNoDifference(duration.nanoseconds, down)
    expectNoDifference(duration.nanosecondsRoundedUp, up)
  }
}
