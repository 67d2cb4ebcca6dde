import CustomDump
import Dispatch
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

@Suite("Timers")
struct SystemTimerTests {
  @Test("A timer of the system fires at or after its deadline")
  func systemTimerIsNotEarly() async {
    let clock = SystemLifecycleClock()
    for delay in [Duration.milliseconds(5), .zero, .seconds(-5)] {
      let called = AsyncGate()
      let reading = Locked<ContinuousInstant?>(nil)
      let deadline = clock.continuous + delay
      let timer = clock.schedule(at: deadline) {
        reading.withLock { $0 = clock.continuous }
        called.open()
      }
      await called.opened()
      #expect(reading.withLock { $0! } >= deadline)
      timer.cancel()
    }
  }

  @Test("A timer whose deadline has passed does not fire inside schedule")
  func schedulingDoesNotCall() async {
    let clock = SystemLifecycleClock()
    for _ in 1...50 {
      let trace = Trace()
      let called = AsyncGate()
      let scheduling = Locked<ObjectIdentifier?>(currentThread())
      let timer = clock.schedule(at: clock.continuous - .seconds(5)) {
        let isScheduling = scheduling.withLock { $0 == currentThread() }
        trace("called by the thread that schedules: \(isScheduling)")
        called.open()
      }
      scheduling.withLock { $0 = nil }
      await called.opened()
      expectNoDifference(trace.lines, ["called by the thread that schedules: false"])
      timer.cancel()
    }
  }

  @Test("A timer may have a deadline beyond the range of nanoseconds")
  func farAway() {
    let clock = SystemLifecycleClock()
    for time in [Duration.seconds(Int64.max), Duration.longest] {
      let released = Counter()
      let deadline = ContinuousInstant(timeSinceBoot: time)
      let timer = clock.schedule(at: deadline) { [canary = Canary { released.add() }] in
        canary.sing()
      }
      expectNoDifference(released.count, 0)
      timer.cancel()
      expectNoDifference(released.count, 1)
    }
    // Nor is a deadline too long ago.
    clock.schedule(at: ContinuousInstant(timeSinceBoot: Duration.shortest)) {}.cancel()
  }

  @Test("A timer that fires early is armed again")
  func earlyDispatchTimerIsArmedAgain() async {
    // What is left to wait for: when the timer is armed, when it comes too early twice, at last.
    let left = Locked([1, 2, 1, 0])
    let trace = Trace()
    let called = AsyncGate()
    let timer = DispatchTimer(
      deadline: .boot + .seconds(3),
      reading: {
        let nanoseconds = left.withLock { $0.removeFirst() }
        trace("\(nanoseconds) ns left")
        return .boot + (.seconds(3) - .nanoseconds(nanoseconds))
      },
      body: {
        trace("called")
        called.open()
      }
    )
    await called.opened()
    expectNoDifference(
      trace.lines,
      ["1 ns left", "2 ns left", "1 ns left", "0 ns left", "called"]
    )
    timer.cancel()
  }

  @Test("A timer cancelled while it fires does not call its closure, and releases it")
  func cancelledWhileItFires() async {
    let trace = Trace()
    let released = AsyncGate()
    let hasCome = AsyncGate()
    let mayGoOn = ThreadGate()
    let readings = Locked(0)
    var timer: DispatchTimer? = DispatchTimer(
      deadline: .boot,
      reading: { [canary = Canary { released.open() }] in
        canary.sing()
        let reading = readings.withLock { count in
          count += 1
          return count
        }
        // The first one arms the timer.
        if reading == 2 {
          hasCome.open()
          mayGoOn.wait()
        }
        return .boot
      },
      body: { trace("called") }
    )
    await hasCome.opened()
    timer?.cancel()
    timer = nil
    mayGoOn.open()
    await released.opened()
    expectNoDifference(trace.lines, [])
  }

  // MARK: Timers of Dispatch that come late

  /// When the timer read its clock, on the clock that Dispatch uses, and when it called its closure.
  private struct Course {
    var readings: [SuspendingClock.Instant]
    var call: SuspendingClock.Instant
  }

  /// Runs a timer whose clock shows the boot when it is created, and another time from then on.
  private func run(deadline: Duration, later: Duration) async -> Course {
    let readings = Collector<SuspendingClock.Instant>()
    let call = Locked<SuspendingClock.Instant?>(nil)
    let called = AsyncGate()
    let timer = DispatchTimer(
      deadline: .boot + deadline,
      reading: {
        readings(.now)
        return readings.values.count == 1 ? .boot : .boot + later
      },
      body: {
        call.withLock { $0 = .now }
        called.open()
      }
    )
    await called.opened()
    timer.cancel()
    return Course(readings: readings.values, call: call.withLock { $0! })
  }

  @Test("A timer whose deadline passes in sleep fires after the waking time that was left")
  func deadlinePassesDuringSleep() async {
    let course = await run(deadline: .milliseconds(30), later: .seconds(3600))
    // When it is created, and after the rest. It is late then.
    expectNoDifference(course.readings.count, 3)
    #expect(course.readings[1] - course.readings[0] >= .milliseconds(30))
  }

  @Test("A timer late by more than 0.1 s waits for another 0.1 s, once")
  func lateTimerWaitsOnceMore() async {
    let course = await run(deadline: .milliseconds(1), later: .milliseconds(200))
    expectNoDifference(course.readings.count, 3)
    #expect(course.call - course.readings[1] >= .milliseconds(100))
  }

  @Test(
    "A timer that is less late, or was due when created, does not wait",
    arguments: [Duration.milliseconds(1), .seconds(-5)]
  )
  func otherTimersDoNotWait(deadline: Duration) async {
    let course = await run(deadline: deadline, later: .milliseconds(50))
    expectNoDifference(course.readings.count, 2)
  }
}

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
    let later = deadline(2)
    #expect(alarm.set(for: later) { trace("second") })
    expectNoDifference(clock.timerCount, 1)
    alarm.cancel()
    expectNoDifference(clock.timerCount, 0)
    #expect(!alarm.hasEnded && alarm.set(for: later) { trace("third") })
    clock.advance(by: .seconds(3))
    expectNoDifference(trace.lines, ["third"])
  }

  @Test("An alarm set for the deadline that it has, or had, stays as it is")
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
    "An alarm changed while its timer is created keeps the later timer alone",
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
