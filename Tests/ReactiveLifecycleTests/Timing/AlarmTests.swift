import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Alarms")
struct AlarmTests {
  private let clock = ManualClock()
  private let trace = Trace()

  private func deadline(_ seconds: Int) -> ContinuousInstant {
    clock.continuous + .seconds(seconds)
  }

  @Test("An alarm that is set again fires at the later deadline alone")
  func setAgain() {
    let alarm = Alarm(clock)
    #expect(alarm.set(for: deadline(1)) { trace("first") })
    #expect(alarm.set(for: deadline(2)) { trace("second") })
    expectNoDifference(clock.timerCount, 1)
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.lines, ["second"])
  }

  @Test("Set for the deadline that it has, or had when it fired, an alarm stays as it is")
  func sameDeadline() {
    let alarm = Alarm(clock)
    let deadline = deadline(1)
    #expect(alarm.set(for: deadline) { trace("first") })
    #expect(!alarm.set(for: deadline) { trace("second") })
    clock.advance(by: .seconds(1))
    #expect(!alarm.set(for: deadline) { trace("third") })
    expectNoDifference(trace.lines, ["first"])
  }

  @Test("A cancelled alarm can be set again, also for the same deadline")
  func cancelledAlarmCanBeSetAgain() {
    let alarm = Alarm(clock)
    let deadline = deadline(1)
    alarm.set(for: deadline) { trace("first") }
    alarm.cancel()
    expectNoDifference(clock.timerCount, 0)
    #expect(!alarm.hasEnded)
    #expect(alarm.set(for: deadline) { trace("second") })
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.lines, ["second"])
  }

  @Test("An alarm ends once, and can't be set after that")
  func alarmEndsOnceAndCantBeSetAfterThat() {
    let alarm = Alarm(clock)
    alarm.set(for: deadline(1)) { trace("first") }
    #expect(alarm.end())
    #expect(!alarm.end())
    #expect(alarm.hasEnded)
    #expect(!alarm.set(for: deadline(2)) { trace("second") })
    expectNoDifference(clock.timerCount, 0)
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.lines, [])
  }

  /// A clock that lets a test do something before it returns a timer.
  private final class BusyClock: LifecycleClock {
    let manual = ManualClock()
    let whileScheduling = Locked<(@Sendable () -> Void)?>(nil)

    var now: LifecycleInstant { manual.now }

    func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      let timer = manual.schedule(at: deadline, body)
      whileScheduling.withLock { $0.take() }?()
      return timer
    }
  }

  @Test("An alarm that ends, or is cancelled, while its timer is made keeps no timer")
  func endedWhileScheduling() {
    let ends: [@Sendable (Alarm) -> Void] = [{ $0.end() }, { $0.cancel() }]
    for end in ends {
      let clock = BusyClock()
      let alarm = Alarm(clock)
      clock.whileScheduling.withLock { $0 = { end(alarm) } }
      alarm.set(for: clock.continuous + .seconds(1)) { [trace] in trace("fired") }
      expectNoDifference(clock.manual.timerCount, 0)
      clock.manual.advance(by: .seconds(1))
      expectNoDifference(trace.lines, [])
    }
  }

  @Test("A deadline that is set while another timer is made takes that one's place")
  func setWhileScheduling() {
    let clock = BusyClock()
    let alarm = Alarm(clock)
    let start = clock.continuous
    clock.whileScheduling.withLock {
      $0 = { [trace] in
        alarm.set(for: start + .seconds(2)) { trace("second") }
      }
    }
    alarm.set(for: start + .seconds(1)) { [trace] in trace("first") }
    expectNoDifference(clock.manual.timerCount, 1)
    clock.manual.advance(by: .seconds(3))
    expectNoDifference(trace.lines, ["second"])
  }
}
