import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  /// G11 on the system's clocks. Bounds come from the test's own readings, so that a slow machine makes
  /// them wider and nothing fails.
  @Suite("Stays on the real system", .serialized)
  struct StayTests {
    @Test("SIGSTOP counts in the background, and is no sleep; in the foreground it is no stay")
    func stopInBackground() async throws {
      try await withProbeSession { session in
        let probe = try StayProbe(session)
        let down = try probe.send(.didEnterBackground)
        let stop = try probe.stopAndContinue()
        // The first input counts, not its repeat.
        #expect(try probe.send(.didEnterBackground).stay == nil)
        let up = try probe.send(.didBecomeActive)
        let stay = try #require(up.stay)
        expectStay(stay, from: down.sent, to: up.sent)
        #expect(stay.timeAway >= stop)
        #expect(stop >= .milliseconds(100))
        _ = try probe.stopAndContinue()
        #expect(try probe.send(.didBecomeActive).stay == nil)
        #expect(try probe.send(.willResignActive).stay == nil)
        _ = try probe.stopAndContinue()
        #expect(try probe.send(.willEnterForeground).stay == nil)
      }
    }

    // MARK: Time namespaces

    @Test(
      "A stay during which the machine has slept for an hour counts that hour",
      .enabled(if: TimeCapability.canUnshareTime, "time namespaces are not permitted here")
    )
    func staySaysWhenMachineSeemsToHaveSlept() async throws {
      let offsets = (boot: 4000, monotonic: 400)
      try await withProbeSession { session in
        let probe = try StayProbe(
          session,
          wrapper: [
            "unshare", "--time", "--boottime", "\(offsets.boot)", "--monotonic",
            "\(offsets.monotonic)",
          ]
        )
        // Captured outside of the namespace, as before a sleep of the machine.
        let captured = SystemLifecycleClock().now
        let inside = try probe.now()
        #expect(inside.continuous >= captured.continuous + .seconds(offsets.boot))
        #expect(try probe.send(.didEnterBackground, at: captured).stay == nil)
        let up = try probe.send(.didBecomeActive)
        let stay = try #require(up.stay)
        expectStay(
          stay,
          from: StayProbe.Bracket(before: captured, after: captured),
          to: up.sent,
          offset: (
            continuous: .seconds(offsets.boot), suspending: .seconds(offsets.monotonic),
            wall: .zero
          )
        )
        #expect(stay.timeAway >= .seconds(offsets.boot))
        // The other way round the clocks went back: that is no time at all.
        #expect(try probe.send(.didEnterBackground).stay == nil)
        let back = try #require(try probe.send(.didBecomeActive, at: captured).stay)
        expectNoDifference(back.timeAway, .zero)
        expectNoDifference(back.timeAsleep, .zero)
      }
    }

    // MARK: The wall clock is set

    @Test(
      "Two hours forward or back on the wall clock are a shift, and no time away",
      .enabled(if: TimeCapability.canFakeTime, "faketime is not installed, or does not work"),
      .disabled(
        if: isThreadSanitized || isAddressSanitized,
        "libfaketime hangs under the sanitizer: it is called before it is set up"
      )
    )
    func wallClock() async throws {
      try await withProbeSession { session in
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = directory.url.appending(path: "shift")
        // The library reads the file at each call, so it has to change in one piece.
        func setWallClock(by seconds: Int) throws {
          let text = seconds < 0 ? "\(seconds)" : "+\(seconds)"
          try Data("\(text)\n".utf8).write(to: file, options: .atomic)
        }
        try setWallClock(by: 0)
        let (wrapper, environment) = TimeCapability.fakingTime(of: file)
        let probe = try StayProbe(session, wrapper: wrapper, environment: environment)
        // There and back again: the clock is set during each of two stays.
        var set = 0
        for change in [7200, -7200] {
          let down = try probe.send(.didEnterBackground)
          set += change
          try setWallClock(by: set)
          let before = SystemLifecycleClock().now.timeSince1970
          let seen = try probe.now().timeSince1970 - .seconds(set)
          let after = SystemLifecycleClock().now.timeSince1970
          #expect(before <= seen && seen <= after, "the wall clock was not set")
          let up = try probe.send(.didBecomeActive)
          expectStay(
            try #require(up.stay),
            from: down.sent,
            to: up.sent,
            offset: (continuous: .zero, suspending: .zero, wall: .seconds(change))
          )
        }
      }
    }
  }
}
