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

  @Test(
    "An alarm that is set again, also after it was cancelled, fires at the later deadline alone"
  )
  func setAgain() {
    let alarm = Alarm(clock)
    #expect(alarm.set(for: deadline(1)) { trace("first") })
    let later = deadline(2)
    #expect(alarm.set(for: later) { trace("second") })
    expectNoDifference(clock.timerCount, 1)
    alarm.cancel()
    expectNoDifference(clock.timerCount, 0)
    #expect(!alarm.hasEnded && alarm.set(for: later) { trace("third") })
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.lines, ["third"])
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

  @Test(
    "Ended, cancelled or set again while its timer is made, an alarm keeps the later timer alone",
    arguments: ["end", "cancel", "set"]
  )
  func changedWhileScheduling(_ change: String) {
    let clock = BusyClock()
    let alarm = Alarm(clock)
    let start = clock.continuous
    clock.whileScheduling.withLock {
      $0 = { [trace] in
        switch change {
        case "end": alarm.end()
        case "cancel": alarm.cancel()
        default: alarm.set(for: start + .seconds(2)) { trace("second") }
        }
      }
    }
    alarm.set(for: start + .seconds(1)) { [trace] in trace("first") }
    expectNoDifference(clock.manual.timerCount, change == "set" ? 1 : 0)
    clock.manual.advance(by: .seconds(3))
    expectNoDifference(trace.lines, change == "set" ? ["second"] : [])
  }
}
