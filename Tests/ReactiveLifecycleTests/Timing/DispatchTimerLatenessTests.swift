import CustomDump
import LifecycleSupport
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// A clock that the test sets, and timers that run in real time. What is compared are lower bounds.
@Suite("Timers of Dispatch that come late")
struct DispatchTimerLatenessTests {
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

  @Test("A sleep does not count: the waking time that was left at its start passes after it")
  func deadlinePassesDuringSleep() async {
    let course = await run(deadline: .milliseconds(30), later: .seconds(3600))
    // When it is created, and after the rest. It is late then.
    expectNoDifference(course.readings.count, 3)
    #expect(course.readings[1] - course.readings[0] >= .milliseconds(30))
  }

  @Test("One that is late by more than a tenth of a second waits for another tenth, once")
  func lateTimerWaitsOnceMore() async {
    let course = await run(deadline: .milliseconds(1), later: .milliseconds(200))
    expectNoDifference(course.readings.count, 3)
    #expect(course.call - course.readings[1] >= .milliseconds(100))
  }

  @Test(
    "One that is less late, or was due when it was created, does not wait",
    arguments: [Duration.milliseconds(1), .seconds(-5)]
  )
  func otherTimersDoNotWait(deadline: Duration) async {
    let course = await run(deadline: deadline, later: .milliseconds(50))
    expectNoDifference(course.readings.count, 2)
  }
}
