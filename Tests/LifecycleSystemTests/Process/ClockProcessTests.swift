import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleSystem

extension SystemProcessTests {
  @Suite("Clock changes and idleness", .serialized)
  struct ClockProcessTests {
    /// Moves the wall clock; returns false if that is not permitted.
    private static func moveClock(by milliseconds: Int) -> Bool {
      var time = timespec()
      guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return false }
      let nanoseconds = time.tv_nsec + milliseconds * 1_000_000
      time.tv_sec += Int((Double(nanoseconds) / 1e9).rounded(.down))
      time.tv_nsec = nanoseconds - 1_000_000_000 * Int((Double(nanoseconds) / 1e9).rounded(.down))
      return clock_settime(CLOCK_REALTIME, &time) == 0
    }

    private static let canSetClock = moveClock(by: 0)

    @Test(
      "The wall clock, set to what it shows and by ±200 ms, is a change by 200 ms each",
      .enabled(if: canSetClock, "the wall clock can't be set"),
      .runsAlone
    )
    func shift() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe()
        #expect(Self.moveClock(by: 0))
        session.idle(for: .milliseconds(50))
        #expect(try probe.ping().isEmpty)
        var moved = 0
        defer { _ = Self.moveClock(by: -moved) }
        for shift in [200, -200] {
          try #require(Self.moveClock(by: shift))
          moved += shift
          let events = try probe.lines(through: .significantTimeChange).events
          let measured = try #require(events.first?.clockShift)
          expectNoDifference(events.map(\.kind), [.significantTimeChange])
          #expect(measured <= .milliseconds(shift + 20) && measured >= .milliseconds(shift - 20))
        }
      }
    }

    @Test(
      "A slow correction of the clock is no change",
      .enabled(if: canSetClock, "the wall clock can't be set"),
      .runsAlone
    )
    func slew() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe()
        var (slow, before) = (timeval(tv_sec: 0, tv_usec: 2_000), timeval())
        try #require(adjtime(&slow, &before) == 0)
        defer {
          // A correction that was under way goes on.
          adjtime(&before, nil)
        }
        session.idle(for: .milliseconds(500))
        #expect(try probe.ping().isEmpty)
      }
    }

    @Test("An idle process with all sources but the heartbeat is never woken")
    func idle() async throws {
      try await withProbeSession { session in
        try session.withPressurePipe(["--block-main"]) { probe, _ in
          _ = try probe.ping()
          try probe.waitUntilThreadWaits()
          func waits() -> Int? { ThreadStatus.waiting(of: probe.job.processID)?.waits }
          // Before it waits for the system, it may wait for a lock or for memory.
          try session.wait(for: "three seconds without being woken") {
            let before = try #require(waits())
            session.idle(for: .seconds(3))
            return waits() == before
          }
        }
      }
    }
  }
}
