import Foundation
import JobControl
import LifecycleSystem
import ReactiveLifecycle
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Clock changes and idleness", .serialized)
  struct ClockProcessTests {
    /// Moves the wall clock; returns false if that is not permitted.
    private static func moveClock(by milliseconds: Int) -> Bool {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let nanoseconds = time.tv_nsec + milliseconds * 1_000_000
      let seconds = Int((Double(nanoseconds) / 1e9).rounded(.down))
      time.tv_sec += seconds
      time.tv_nsec = nanoseconds - seconds * 1_000_000_000
      return clock_settime(CLOCK_REALTIME, &time) == 0
    }

    private static let canSetClock = moveClock(by: 0)

    @Test(
      "The wall clock, set to what it shows and by ±200 ms, is a change by 200 ms each",
      .enabled(if: canSetClock, "the wall clock can't be set")
    )
    func shift() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe()
        #expect(Self.moveClock(by: 0))
        session.idle(for: .milliseconds(50))
        #expect(try probe.ping().isEmpty)
        for shift in [200, -200] {
          #expect(Self.moveClock(by: shift))
          let events = try probe.lines(through: .significantTimeChange).events
          let measured = try #require(events.first?.clockShift)
          #expect(events.map(\.kind) == [.significantTimeChange])
          // This process may have been interrupted between its reading and its setting of the clock.
          #expect(measured <= .milliseconds(shift + 20) && measured > .milliseconds(shift - 90))
        }
      }
    }

    @Test(
      "A slow correction of the clock is no change",
      .enabled(if: canSetClock, "the wall clock can't be set")
    )
    func slew() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe()
        var (slow, before) = (timeval(tv_sec: 0, tv_usec: 2_000), timeval())
        try #require(adjtime(&slow, &before) == 0)
        session.idle(for: .milliseconds(500))
        #expect(try probe.ping().isEmpty)
        var none = timeval()
        adjtime(&none, nil)
      }
    }

    @Test("An idle process with all sources but the heartbeat is never woken")
    func idle() async throws {
      try await withProbeSession { session in
        let pipe = try TestPipe()
        defer { pipe.remove() }
        let probe = try session.launchSystemProbe(
          ["--block-main"],
          environment: ["MEMORY_PRESSURE_WATCH": pipe.path]
        )
        #expect(probe.availability["memoryPressure"] == "available, by \(pipe.path)")
        _ = try probe.ping()
        try probe.waitUntilThreadWaits()
        func waits() -> Int? {
          ThreadStatus.all(of: probe.job.processID).first { $0.name == "lifecycle" }?.waits
        }
        let before = try #require(waits())
        session.idle(for: .seconds(3))
        #expect(waits() == before)
      }
    }
  }
}
