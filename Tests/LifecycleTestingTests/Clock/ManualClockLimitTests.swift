import CustomDump
import IssueReporting
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Limits of the manual clock")
struct ManualClockLimitTests {
  private let longest = Duration(attoseconds: .max)
  private let shortest = Duration(attoseconds: .min)

  @Test("By default, the clocks show an hour after boot, a minute of it asleep, early in 2026")
  func defaultInstant() {
    expectNoDifference(
      ManualClock().now,
      LifecycleInstant(
        continuous: .boot + .seconds(3600),
        timeAwake: .seconds(59 * 60),
        // 56 years with 14 leap days.
        timeSince1970: .seconds((56 * 365 + 14) * 24 * 3600)
      )
    )
  }

  @Test("A move back is reported at the caller's line, moves nothing and calls nobody")
  func moveBack() {
    let clock = ManualClock()
    let start = clock.now
    let timer = clock.schedule(at: .boot) { Issue.record("A timer was called.") }
    expectReportedIssue("moved by -5 s,", line: #line + 1) {
      clock.advance(by: .seconds(-5))
    }
    expectReportedIssue("can't be moved by", line: #line + 1) {
      clock.sleepDevice(for: .nanoseconds(-1))
    }
    expectReportedIssue("can't be moved by", line: #line + 1) {
      clock.stopProcess(for: .nanoseconds(-1))
    }
    expectNoDifference(clock.now, start)
    expectNoDifference(clock.timerCount, 1)
    timer.cancel()
  }

  @Test("No move is too long, and no deadline too far away or too long ago")
  func nothingOverflows() {
    let trace = Trace()
    for start in [shortest, .zero, longest] {
      let clock = ManualClock(LifecycleInstant(everyClock: start))
      let timers = [
        clock.schedule(at: ContinuousInstant(timeSinceBoot: shortest)) { trace("past") },
        clock.schedule(at: ContinuousInstant(timeSinceBoot: longest)) { trace("future") },
      ]
      for _ in 1...3 {
        let before = clock.now
        clock.advance(by: longest)
        clock.sleepDevice(for: longest)
        clock.stopProcess(for: longest)
        #expect(clock.now.continuous >= before.continuous)
        #expect(clock.now.timeAwake >= before.timeAwake)
        #expect(clock.now.timeSince1970 >= before.timeSince1970)
      }
      let end = clock.now
      for shift in [longest, longest, shortest, shortest, shortest] {
        clock.setWallClock(by: shift)
      }
      #expect(clock.now.timeSince1970 < .zero)
      expectNoDifference(clock.now.continuous, end.continuous)
      // It never shows the longest duration.
      expectNoDifference(trace.take(), ["past"])
      expectNoDifference(clock.timerCount, 1)
      withExtendedLifetime(timers) {}
    }
  }
}
