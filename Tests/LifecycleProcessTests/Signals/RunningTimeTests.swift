import CustomDump
import Testing

@testable import LifecycleProcess

@Suite("Running time, by which deadlines are measured")
struct RunningTimeTests {
  private let start = SuspendingClock.now

  private func after(_ milliseconds: Int) -> RunningTime.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test("While no deadline is pending, all time counts")
  func idle() {
    var time = RunningTime()
    time.beginWait(at: start, isAwaited: false)
    expectNoDifference(time.instant(at: after(60_000)), after(60_000))
    time.endWait(at: after(60_000))
    expectNoDifference(time.instant(at: after(60_001)), after(60_001))
  }

  @Test("A wait for a deadline counts for one slice at most")
  func frozen() {
    var time = RunningTime()
    time.beginWait(at: start, isAwaited: true)
    expectNoDifference(time.instant(at: after(30)), after(30))
    expectNoDifference(time.instant(at: after(5_000)), after(100))
    time.endWait(at: after(5_000))
    expectNoDifference(time.instant(at: after(5_000)), after(100))
    expectNoDifference(time.instant(at: after(5_050)), after(150))
    time.beginWait(at: after(5_050), isAwaited: false)
    expectNoDifference(time.instant(at: after(9_050)), after(4_150))
  }

  @Test("A wait for a deadline ends with the slice, or with the deadline, which frozen time delays")
  func wakeUp() {
    var time = RunningTime()
    time.beginWait(at: start, isAwaited: true)
    expectNoDifference(time.wakeUp(for: after(3_000), at: start), after(100))
    expectNoDifference(time.wakeUp(for: after(50), at: start), after(50))
    time.endWait(at: after(1_100))
    expectNoDifference(time.wakeUp(for: after(150), at: after(1_100)), after(1_150))
  }

  @Test("Running time never goes backward")
  func monotonic() {
    var (time, now, last) = (RunningTime(), start, start)
    for step in [1, 99, 100, 101, 5_000, 40, 0, 700] {
      for isAwaited in [true, true, false] {
        time.beginWait(at: now, isAwaited: isAwaited)
        now += .milliseconds(step)
        let during = time.instant(at: now)
        time.endWait(at: now)
        expectNoDifference(time.instant(at: now), during)
        #expect(during >= last)
        last = during
      }
    }
  }
}
