import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("The manual clock")
struct ManualClockTests {
  private let clock = ManualClock()
  private let trace: TimeTrace

  init() {
    trace = TimeTrace(clock)
  }

  /// A timer that notes when it is called.
  private func timer(_ name: String, after seconds: Int) -> LifecycleCancellable {
    clock.schedule(at: clock.continuous + .seconds(seconds)) { [trace] in trace(name) }
  }

  @Test("Advancing, stopping, sleeping and setting move different clocks")
  func clocksOfEachMove() {
    func moved(_ move: (ManualClock) -> Void) -> [Duration] {
      let start = clock.now
      move(clock)
      let now = clock.now
      return [
        now.continuous - start.continuous, now.timeAwake - start.timeAwake,
        now.timeSince1970 - start.timeSince1970,
      ]
    }
    let five = Duration.seconds(5)
    expectNoDifference(moved { $0.advance(by: five) }, [five, five, five])
    expectNoDifference(moved { $0.stopProcess(for: five) }, [five, five, five])
    expectNoDifference(moved { $0.sleepDevice(for: five) }, [five, .zero, five])
    expectNoDifference(moved { $0.setWallClock(by: .seconds(-5)) }, [.zero, .zero, .seconds(-5)])
    let timer = clock.schedule(at: clock.continuous + .seconds(2)) { [clock, trace] in
      trace("awake for \((clock.now.timeAwake - .seconds(59 * 60)).components.seconds) s")
    }
    clock.advance(by: five)
    expectNoDifference(trace.take(), ["17.0 awake for 12 s"])
    withExtendedLifetime(timer) {}
  }

  @Test("A move by a negative time is reported at the caller's line, and moves nothing")
  func negativeMove() {
    let start = clock.now
    let timer = clock.schedule(at: .boot) { Issue.record("A timer was called.") }
    expectReportedIssue(
      """
      The manual clock can't be moved by -5 s, so it was not moved. Only its wall clock can go \
      back: use setWallClock(by:).
      """,
      line: #line + 2
    ) {
      clock.advance(by: .seconds(-5))
    }
    expectReportedIssue("can't be moved by", line: #line + 1) {
      clock.sleepDevice(for: .nanoseconds(-1))
    }
    expectReportedIssue("can't be moved by", line: #line + 1) {
      clock.stopProcess(for: .nanoseconds(-1))
    }
    expectReportedIssue("can't be moved by", line: #line + 1) {
      clock.restartDevice(for: .nanoseconds(-1))
    }
    expectNoDifference(clock.now, start)
    expectNoDifference(clock.timerCount, 1)
    timer.cancel()
  }

  // MARK: Timers

  @Test(
    "While the device sleeps or the process is stopped, nothing is called; afterward, what was due",
    arguments: [
      { clock in clock.sleepDevice(for: .seconds(10)) },
      { clock in clock.stopProcess(for: .seconds(10)) },
    ] as [@Sendable (ManualClock) -> Void]
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func dueDuringAPause(_ pause: @Sendable (ManualClock) -> Void) {
    let timers = [timer("second", after: 2), timer("first", after: 1), timer("later", after: 11)]
    // What is queued would not have waited.
    let task = Task(executorPreference: clock) { [clock, trace] in
      trace("task begins")
      try await Task.sleep(for: .seconds(5), clock: clock)
      trace("task ends")
    }
    pause(clock)
    expectNoDifference(
      trace.take(),
      ["0.0 task begins", "10.0 first", "10.0 second", "10.0 task ends"]
    )
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["11.0 later"])
    withExtendedLifetime((timers, task)) {}
  }

  @Test("A timer can move the clock: what becomes due is called, and the outer move continues")
  func movedByATimer() {
    let outer = clock.schedule(at: clock.continuous + .seconds(1)) { [clock, trace] in
      trace("outer")
      clock.advance(by: .seconds(2))
      trace("outer goes on")
    }
    let timers = [timer("inner", after: 2), timer("after", after: 6), timer("never", after: 8)]
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), ["1.0 outer", "2.0 inner", "3.0 outer goes on", "6.0 after"])
    expectNoDifference(clock.elapsed, .seconds(7))
    outer.cancel()
    withExtendedLifetime(timers) {}
  }

  @Test("A timer that was cancelled or released is not called, not even by another one's call")
  func cancelledTimerIsNotCalled() {
    var released: LifecycleCancellable? = timer("released", after: 1)
    let cancelled = timer("cancelled", after: 1)
    let victim = timer("victim", after: 3)
    let killer = clock.schedule(at: clock.continuous + .seconds(2)) { victim.cancel() }
    cancelled.cancel()
    withExtendedLifetime(released) {}
    released = nil
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), [])
    expectNoDifference(clock.timerCount, 0)
    killer.cancel()
  }

  @Test("A timer releases what it holds when it is cancelled, and after its call, without a lock")
  func timerReleasesWhatItHolds() {
    func schedule() -> LifecycleCancellable {
      // Asks the clock.
      let canary = Canary { [trace] in trace("released") }
      return clock.schedule(at: clock.continuous + .seconds(2)) { canary.sing() }
    }
    schedule().cancel()
    expectNoDifference(trace.take(), ["0.0 released"])
    let timer = schedule()
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), ["2.0 released"])
    withExtendedLifetime(timer) {}
  }

  @Test("Scheduled work is released with the clock, even if its timers are kept")
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

  // MARK: Until nothing is scheduled

  @Test("A run ends at the last deadline that is not cancelled")
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

  @Test("A run with more calls than its limit stops, and is reported")
  func runLimit() {
    let timers = [timer("first", after: 1), timer("second", after: 5)]
    expectReportedIssue(
      """
      The manual clock still has scheduled work after 1 call, which moved it by 1 s. The next \
      call is due in 4 s. Cancel repeating work before run(), or move the clock with \
      advance(by:).
      """,
      line: #line + 2
    ) {
      clock.run(limit: 1)
    }
    expectNoDifference(trace.take(), ["1.0 first"])
    clock.run(limit: 1)
    expectNoDifference(trace.take(), ["5.0 second"])
    withExtendedLifetime(timers) {}
  }

  // MARK: Restarts

  @Test("A restart resets the clocks since boot, and the wall clock continues")
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

  @Test("A restart cancels sleeping tasks in order; queued work runs before it and after it")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func restartCancelsSleep() {
    for index in 0..<10 {
      Task(executorPreference: clock) { [clock, trace] in
        if index == 0 { trace("begins in \(clock.bootID!.rawValue)") }
        do {
          try await Task.sleep(for: .seconds(90 - index), clock: clock)
        } catch {
          trace("\(index): \(type(of: error)) in \(clock.bootID!.rawValue)")
        }
      }
    }
    clock.restartDevice(for: .seconds(60))
    expectNoDifference(
      trace.take(),
      ["0.0 begins in manual"] + (0..<10).map { "-3570.0 \($0): CancellationError in manual-2" }
    )
  }
}
