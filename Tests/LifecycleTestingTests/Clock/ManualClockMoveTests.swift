import CustomDump
import IssueReporting
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Moves of the manual clock")
struct ManualClockMoveTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  private func timer(_ name: String, after seconds: Int) -> LifecycleTimer {
    clock.schedule(at: clock.continuous + .seconds(seconds)) { [trace] in trace(name) }
  }

  // MARK: To an instant

  @Test("A move to an instant goes by the continuous clock, and calls what is due on the way")
  func advanceTo() {
    let timers = [timer("due", after: 5), timer("not due", after: 6)]
    var end = clock.now.advanced(by: .seconds(5))
    end.wall = .zero
    end.suspending = .seconds(1_000_000)
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
    withKnownIssue {
      clock.advance(to: start.advanced(by: .milliseconds(-1500)))
    } matching: {
      $0.comments.map(\.rawValue) == [
        "A manual clock can't go back by 1.5 seconds, to an instant that has passed. It was left "
          + "where it is."
      ] && $0.sourceLocation?.line == #line - 5 && $0.sourceLocation?.fileID == #fileID
    }
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
    expectNoDifference(clock.continuous, .seconds(30))
    withExtendedLifetime((mover, far, restarter)) {}
  }

  // MARK: Until nothing is scheduled

  @Test("A run goes from deadline to deadline, and ends at the last, cancelled ones left out")
  func run() {
    let timers = Locked<[LifecycleTimer]>([])
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
    withKnownIssue {
      clock.run()
    } matching: {
      $0.comments.map(\.rawValue) == [
        "A manual clock still has something to do after 10000 calls, which moved it by 4999.5 "
          + "seconds; what comes next is due in 0.5 seconds. Cancel the work that repeats itself "
          + "before run(), or move the clock with advance(by:)."
      ] && $0.sourceLocation?.line == #line - 6 && $0.sourceLocation?.fileID == #fileID
    }
    expectNoDifference(clock.elapsed, .milliseconds(4_999_500))
    repetition.cancel()
    clock.run(limit: 0)
    expectNoDifference(clock.elapsed, .milliseconds(4_999_500))
  }

  @Test("A run may make as many calls as its limit says, and one more is reported")
  func runLimit() {
    let timers = [timer("first", after: 1), timer("second", after: 5)]
    withKnownIssue {
      clock.run(limit: 1)
    } matching: {
      $0.comments.map(\.rawValue) == [
        "A manual clock still has something to do after 1 call, which moved it by 1.0 seconds; "
          + "what comes next is due in 4.0 seconds. Cancel the work that repeats itself before "
          + "run(), or move the clock with advance(by:)."
      ] && $0.sourceLocation?.line == #line - 6
    }
    expectNoDifference(trace.take(), ["1.0 first"])
    clock.run(limit: 1)
    expectNoDifference(trace.take(), ["5.0 second"])
    withExtendedLifetime(timers) {}
  }

  // MARK: Restarts

  @Test("A restart begins the clocks of the boot anew, and the wall clock goes on")
  func restart() {
    let wall = clock.now.wall
    expectNoDifference(clock.boot, BootIdentity(rawValue: "manual"))
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(
      clock.now,
      LifecycleInstant(
        continuous: .seconds(30),
        suspending: .seconds(30),
        wall: wall + .seconds(60)
      )
    )
    expectNoDifference(clock.boot, BootIdentity(rawValue: "manual-2"))
    clock.restartDevice(for: .zero)
    expectNoDifference(clock.boot, BootIdentity(rawValue: "manual-3"))
    let other = ManualClock(boot: BootIdentity(rawValue: "other"))
    other.restartDevice(for: .zero)
    expectNoDifference(other.boot, BootIdentity(rawValue: "other-2"))
    let unknown = ManualClock(boot: nil)
    unknown.restartDevice(for: .zero)
    expectNoDifference(unknown.boot, nil)
  }

  @Test("A restart drops the timers uncalled, and releases what they hold without a lock")
  func restartDropsTimers() {
    let released = Locked<[BootIdentity?]>([])
    let canary = Canary { [clock] in released.withLock { $0.append(clock.boot) } }
    let timer = clock.schedule(at: clock.continuous + .seconds(1)) { [trace] in
      withExtendedLifetime(canary) {}
      trace("timer")
    }
    _ = consume canary
    let overdue = self.timer("overdue", after: 0)
    clock.scheduler.schedule { [trace] in trace("action") }
    clock.restartDevice(for: .seconds(60))
    clock.advance(by: .seconds(100_000))
    expectNoDifference(trace.take(), [])
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(released.withLock { $0 }, [BootIdentity(rawValue: "manual-2")])
    let later = self.timer("later", after: 1)
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["\(30.0 + 100_001 - 3600) later"])
    withExtendedLifetime((timer, overdue, later)) {}
  }

  @Test("Tasks that sleep get an error at a restart, and those on the clock go on inside of it")
  func restartCancelsSleep() {
    let task = Task(executorPreference: clock) { [clock, trace] in
      do {
        try await Task.sleep(for: .seconds(5), clock: clock)
      } catch {
        trace("\(type(of: error)) \(Task.isCancelled) \(clock.boot!.rawValue)")
      }
    }
    clock.advance(by: .seconds(1))
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(trace.take(), ["-3570.0 CancellationError false manual-2"])
    withExtendedLifetime(task) {}
  }

  @Test("What is queued runs before the device is turned off")
  func restartRunsJobs() {
    let task = Task(executorPreference: clock) { [clock, trace] in trace(clock.boot!.rawValue) }
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(trace.take(), ["0.0 manual"])
    withExtendedLifetime(task) {}
  }

  @Test("What is queued runs before the device sleeps, and before the process is stopped")
  func jumpsRunJobs() {
    for jump in [
      { clock in clock.sleepDevice(for: .seconds(5)) },
      { clock in clock.stopProcess(for: .seconds(5)) },
    ] as [(ManualClock) -> Void] {
      let clock = ManualClock()
      let trace = TimeTrace(clock)
      let task = Task(executorPreference: clock) {
        trace("begins")
        try await Task.sleep(for: .seconds(1), clock: clock)
        trace("ends")
      }
      jump(clock)
      expectNoDifference(trace.take(), ["0.0 begins", "5.0 ends"])
      withExtendedLifetime(task) {}
    }
  }

  @Test("A negative restart is reported at the caller's line, and restarts nothing")
  func negativeRestart() {
    let timer = timer("timer", after: 1)
    withKnownIssue {
      clock.restartDevice(for: .seconds(-1))
    } matching: {
      $0.comments.map(\.rawValue) == [
        "A manual clock can't be moved by -1.0 seconds: of its clocks the wall clock alone goes "
          + "back, with setWallClock(by:). It was left where it is."
      ] && $0.sourceLocation?.line == #line - 5
    }
    expectNoDifference(clock.boot, BootIdentity(rawValue: "manual"))
    expectNoDifference(clock.timerCount, 1)
    timer.cancel()
  }

  @Test("Dropped timers are not called, and no time passes")
  func dropTimers() {
    let start = clock.now
    let timer = timer("timer", after: 1)
    let task = Task(executorPreference: clock) { [clock, trace] in
      do {
        try await Task.sleep(for: .seconds(5), clock: clock)
      } catch {
        trace("\(type(of: error))")
      }
    }
    clock.advance(by: .zero)
    clock.dropTimers()
    expectNoDifference(clock.now, start)
    expectNoDifference(clock.boot, BootIdentity(rawValue: "manual"))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .seconds(10))
    expectNoDifference(trace.take(), ["0.0 CancellationError"])
    withExtendedLifetime((timer, task)) {}
  }

  @Test("The elapsed time is the sum of all moves, but for those of the wall clock")
  func elapsed() {
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
  func release() {
    weak var weakClock: ManualClock?
    let released = Locked(0)
    var timer: LifecycleTimer?
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

  private final class Canary: Sendable {
    private let onDeinit: @Sendable () -> Void
    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
  }
}
