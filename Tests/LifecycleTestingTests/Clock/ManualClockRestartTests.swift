import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Restarts on the manual clock")
struct ManualClockRestartTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  private func timer(_ name: String, after seconds: Int) -> LifecycleCancellable {
    clock.schedule(at: clock.continuous + .seconds(seconds)) { [trace] in trace(name) }
  }

  @Test("A restart begins the clocks of the boot anew, and the wall clock goes on")
  func restartBeginsClocksOfBootAnew() {
    let wall = clock.now.timeSince1970
    expectNoDifference(clock.bootID, BootID(rawValue: "manual"))
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(
      clock.now,
      LifecycleInstant(
        continuous: .boot + .seconds(30),
        timeAwake: .seconds(30),
        timeSince1970: wall + .seconds(60)
      )
    )
    expectNoDifference(clock.bootID, BootID(rawValue: "manual-2"))
    clock.restartDevice(for: .zero)
    expectNoDifference(clock.bootID, BootID(rawValue: "manual-3"))
    let other = ManualClock(bootID: BootID(rawValue: "other"))
    other.restartDevice(for: .zero)
    expectNoDifference(other.bootID, BootID(rawValue: "other-2"))
    let unknown = ManualClock(bootID: nil)
    unknown.restartDevice(for: .zero)
    expectNoDifference(unknown.bootID, nil)
  }

  @Test("A restart drops the timers uncalled, and releases what they hold without a lock")
  func restartDropsTimers() {
    let released = Locked<[BootID?]>([])
    let canary = Canary { [clock] in released.withLock { $0.append(clock.bootID) } }
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
    expectNoDifference(released.withLock { $0 }, [BootID(rawValue: "manual-2")])
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
        trace("\(type(of: error)) \(Task.isCancelled) \(clock.bootID!.rawValue)")
      }
    }
    clock.advance(by: .seconds(1))
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(trace.take(), ["-3570.0 CancellationError false manual-2"])
    withExtendedLifetime(task) {}
  }

  @Test("Tasks that sleep get their errors in the order in which they fell asleep")
  func orderOfErrors() {
    for index in 0..<10 {
      Task(executorPreference: clock) { [clock, trace] in
        do {
          try await Task.sleep(for: .seconds(90 - index), clock: clock)
        } catch {
          trace("\(index)")
        }
      }
    }
    clock.advance(by: .zero)
    _ = clock.dropTimers()
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), (0..<10).map { "0.0 \($0)" })
  }

  @Test("What is queued runs before the device is turned off")
  func restartRunsJobs() {
    let task = Task(executorPreference: clock) { [clock, trace] in trace(clock.bootID!.rawValue) }
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
    let line = #line + 1
    let issues = reportedIssues { clock.restartDevice(for: .seconds(-1)) }
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The manual clock can't be moved by -1 s, so it was not moved. Only its wall clock can go \
          back: use setWallClock(by:).
          """,
          line: line
        )
      ]
    )
    expectNoDifference(clock.bootID, BootID(rawValue: "manual"))
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
    _ = clock.dropTimers()
    expectNoDifference(clock.now, start)
    expectNoDifference(clock.bootID, BootID(rawValue: "manual"))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .seconds(10))
    expectNoDifference(trace.take(), ["0.0 CancellationError"])
    withExtendedLifetime((timer, task)) {}
  }
}
