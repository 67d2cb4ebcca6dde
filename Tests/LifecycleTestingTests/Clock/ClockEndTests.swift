import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleBackgroundWork
@testable import LifecycleJournaling

/// A deadline beyond the last instant of a clock is that instant: what repeats itself must not do
/// so there for ever.
@Suite("The last instant of a clock")
struct ClockEndTests {
  private let trace = Trace()
  /// Its clocks stop in two and a half seconds.
  private let clock = ManualClock(LifecycleInstant(everyClock: .seconds(Int64.max) - .seconds(2.5)))

  @Test("A heartbeat comes there once, and ends")
  func heartbeatEndsAtLastInstant() {
    let heartbeat = Heartbeat(every: .seconds(1), clock)
    heartbeat.start { [trace] in trace("beat") }
    clock.run(limit: 100)
    expectNoDifference(trace.take(), ["beat", "beat", "beat"])
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(heartbeat) {}
  }

  @Test("A repetition comes there once, and ends")
  func repetitionEndsAtLastInstant() {
    let scheduler = clock.scheduler
    let after = scheduler.now.advanced(by: 1)
    let repetition = scheduler.schedule(after: after, interval: 1) { [trace] in trace("tick") }
    clock.run(limit: 100)
    expectNoDifference(trace.take(), ["tick", "tick", "tick"])
    expectNoDifference(clock.timerCount, 0)
    repetition.cancel()
  }

  @Test("No fetch begins there because an interval has no end")
  func endlessIntervalBeginsNoFetch() {
    let last = ContinuousInstant.boot + .seconds(Int64.max)
    var machine = BackgroundFetchScheduleMachine(last: last - .seconds(70))
    machine.isInPhase = true
    machine.hasHandler = true
    machine.setInterval(.seconds(60), at: last - .seconds(20))
    expectNoDifference(machine.next(at: last - .seconds(11)), .wait(until: last - .seconds(10)))
    expectNoDifference(machine.next(at: last - .seconds(10)), .begin(1))
    expectNoDifference(machine.finish(1), true)
    expectNoDifference(machine.next(at: last - .seconds(5)), .wait(until: last))
    expectNoDifference(machine.next(at: last), .wait(until: last))
  }
}
