import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Moves of the manual clock")
struct ManualClockMoveTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  private func timer(_ name: String, after seconds: Int) -> LifecycleCancellable {
    clock.schedule(at: clock.continuous + .seconds(seconds)) { [trace] in trace(name) }
  }

  // MARK: To an instant

  @Test("A move to an instant goes by the continuous clock, and calls what is due on the way")
  func advanceTo() {
    let timers = [timer("due", after: 5), timer("not due", after: 6)]
    var end = clock.now.advanced(by: .seconds(5))
    end.timeSince1970 = .zero
    end.timeAwake = .seconds(1_000_000)
    let start = clock.now
    clock.advance(to: end)
    expectNoDifference(trace.take(), ["5.0 due"])
    expectNoDifference(clock.now, start.advanced(by: .seconds(5)))
    clock.advance(to: clock.now)
    expectNoDifference(clock.now, start.advanced(by: .seconds(5)))
    withExtendedLifetime(timers) {}
  }

  @Test("A move to an instant that has passed is reported at the caller's line, and moves nothing")
  func advanceToThePast() {
    let start = clock.now
    let timer = timer("due", after: 0)
    let line = #line + 1
    let issues = reportedIssues { clock.advance(to: start.advanced(by: .milliseconds(-1500))) }
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The manual clock can't go back by 1.5 s to an instant in the past, so it was not moved. \
          Pass a later instant.
          """,
          line: line
        )
      ]
    )
    expectNoDifference(clock.now, start)
    expectNoDifference(trace.take(), [])
    timer.cancel()
  }

  @Test("A move to an instant ends there, also if a timer moves the clock, or restarts the device")
  func advanceToFromInside() {
    let start = clock.now
    let mover = clock.schedule(at: start.continuous + .seconds(1)) { [clock] in
      clock.advance(by: .seconds(2))
    }
    clock.advance(to: start.advanced(by: .seconds(5)))
    expectNoDifference(clock.continuous, start.continuous + .seconds(5))
    let far = clock.schedule(at: start.continuous + .seconds(6)) { [clock] in
      clock.advance(by: .seconds(9))
    }
    clock.advance(to: start.advanced(by: .seconds(7)))
    expectNoDifference(clock.continuous, start.continuous + .seconds(15))
    let restarter = clock.schedule(at: start.continuous + .seconds(16)) { [clock] in
      clock.restartDevice(for: .seconds(60))
    }
    clock.advance(to: start.advanced(by: .seconds(20)))
    expectNoDifference(clock.continuous, .boot + .seconds(30))
    withExtendedLifetime((mover, far, restarter)) {}
  }

  @Test("A move to an instant that no clock shows ends at the last that one does")
  func advanceToTheUnreachable() {
    let beyond = LifecycleInstant(everyClock: Duration(attoseconds: .max))
    let timer = clock.schedule(at: beyond.continuous) { Issue.record("A timer was called.") }
    clock.advance(to: beyond)
    expectNoDifference(clock.continuous, .boot + .seconds(Int64.max))
    expectNoDifference(clock.timerCount, 1)
    timer.cancel()
  }

  // MARK: Until nothing is scheduled

  @Test("A run goes from deadline to deadline, and ends at the last, cancelled ones left out")
  func runVisitsEveryDeadline() {
    let timers = Locked<[LifecycleCancellable]>([])
    timers.withLock {
      $0 = [
        timer("first", after: 2),
        clock.schedule(at: clock.continuous + .seconds(3)) { [self] in
          trace("second")
          let third = timer("third", after: 4)
          timers.withLock { $0.append(third) }
        },
      ]
    }
    timer("cancelled", after: 100).cancel()
    clock.run()
    expectNoDifference(trace.take(), ["2.0 first", "3.0 second", "7.0 third"])
    expectNoDifference(clock.elapsed, .seconds(7))
    clock.run()
    clock.run(limit: 0)
    expectNoDifference(clock.elapsed, .seconds(7))
  }

  @Test("A run calls what has been due for longer than any clock can count")
  func runExtremes() {
    let clock = ManualClock(
      LifecycleInstant([.seconds(Int64.max), .zero, .zero])
    )
    let past = ContinuousInstant(timeSinceBoot: Duration(attoseconds: .min))
    let timer = clock.schedule(at: past) { [trace] in trace("overdue") }
    clock.run()
    expectNoDifference(trace.take(), ["0.0 overdue"])
    expectNoDifference(clock.elapsed, .zero)
    withExtendedLifetime(timer) {}
  }

  @Test("Tasks and actions of the scheduler take part in a run")
  func runTasks() {
    let task = Task(executorPreference: clock) { [clock, trace] in
      trace("task begins")
      try await Task.sleep(for: .seconds(2), clock: clock)
      clock.scheduler.schedule { trace("action") }
      try await Task.sleep(for: .seconds(2), clock: clock)
      trace("task ends")
    }
    clock.run()
    expectNoDifference(trace.take(), ["0.0 task begins", "2.0 action", "4.0 task ends"])
    withExtendedLifetime(task) {}
  }

  @Test("A run that doesn't end is reported at the caller's line, with what to do, and stops")
  func runWithoutEnd() {
    let repetition = clock.scheduler.schedule(
      after: clock.scheduler.now,
      interval: .milliseconds(500)
    ) {}
    let line = #line + 1
    let issues = reportedIssues { clock.run() }
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The manual clock still has scheduled work after 10000 calls, which moved it by 4999.5 s. \
          The next call is due in 0.5 s. Cancel repeating work before run(), or move the clock \
          with advance(by:).
          """,
          line: line
        )
      ]
    )
    expectNoDifference(clock.elapsed, .milliseconds(4_999_500))
    repetition.cancel()
    clock.run(limit: 0)
    expectNoDifference(clock.elapsed, .milliseconds(4_999_500))
  }

  @Test("A run may make as many calls as its limit says, and one more is reported")
  func runLimit() {
    let timers = [timer("first", after: 1), timer("second", after: 5)]
    let line = #line + 1
    let issues = reportedIssues { clock.run(limit: 1) }
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The manual clock still has scheduled work after 1 call, which moved it by 1 s. The next \
          call is due in 4 s. Cancel repeating work before run(), or move the clock with \
          advance(by:).
          """,
          line: line
        )
      ]
    )
    expectNoDifference(trace.take(), ["1.0 first"])
    clock.run(limit: 1)
    expectNoDifference(trace.take(), ["5.0 second"])
    withExtendedLifetime(timers) {}
  }

  @Test("The elapsed time is the sum of all moves, but for those of the wall clock")
  func elapsedTimeIsSumOfAllMoves() {
    expectNoDifference(clock.elapsed, .zero)
    clock.advance(by: .seconds(1))
    clock.sleepDevice(for: .seconds(10))
    clock.stopProcess(for: .seconds(100))
    clock.restartDevice(for: .seconds(1000))
    clock.advance(to: clock.now.advanced(by: .seconds(10_000)))
    clock.setWallClock(by: .seconds(100_000))
    expectNoDifference(clock.elapsed, .seconds(11_111))
  }

  @Test("What was scheduled is released with the clock, also if its timers are not")
  func clockReleasesWhatWasScheduled() {
    weak var weakClock: ManualClock?
    let released = Locked(0)
    var timer: LifecycleCancellable?
    do {
      let clock = ManualClock()
      weakClock = clock
      let canary = Canary { released.withLock { $0 += 1 } }
      timer = clock.schedule(at: clock.continuous) { withExtendedLifetime(canary) {} }
      clock.scheduler.schedule { withExtendedLifetime(canary) {} }
    }
    #expect(weakClock == nil)
    expectNoDifference(released.withLock { $0 }, 1)
    timer?.cancel()
  }
}
