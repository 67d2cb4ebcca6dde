import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Timers of the manual clock")
struct ManualClockTimerTests {
  private let clock = ManualClock()
  private let trace = Trace()

  private func time(_ clock: ManualClock) -> String {
    "\((clock.continuous - .seconds(3600)).timeSinceBoot.components.seconds)"
  }

  /// A timer that notes when it is called, in seconds from the beginning.
  private func timer(_ name: String, at seconds: Int) -> LifecycleCancellable {
    clock.schedule(at: .boot + .seconds(3600 + seconds)) { [self] in
      trace("\(name) at \(time(clock))")
    }
  }

  @Test("Timers are called in order of deadline, then of scheduling, each at its deadline")
  func timersComeInOrderOfDeadline() {
    let timers = [
      timer("late", at: 3), timer("first", at: 2), timer("early", at: 1), timer("second", at: 2),
      timer("too late", at: 4),
    ]
    clock.advance(by: .milliseconds(999))
    expectNoDifference(trace.take(), [])
    clock.advance(by: .milliseconds(2501))
    expectNoDifference(trace.take(), ["early at 1", "first at 2", "second at 2", "late at 3"])
    expectNoDifference(clock.continuous, .boot + .milliseconds(3_603_500))
    expectNoDifference(clock.timerCount, 1)
    clock.advance(by: .milliseconds(500))
    expectNoDifference(trace.lines, ["too late at 4"])
    withExtendedLifetime(timers) {}
  }

  @Test("All three clocks show the deadline when a timer is called")
  func threeClocks() {
    let start = clock.now
    let seen = Locked<LifecycleInstant?>(nil)
    let timer = clock.schedule(at: start.continuous + .seconds(2)) { [clock] in
      seen.withLock { $0 = clock.now }
    }
    clock.advance(by: .seconds(5))
    let now = seen.withLock { $0! }
    expectNoDifference(now.continuous - start.continuous, .seconds(2))
    expectNoDifference(now.timeAwake - start.timeAwake, .seconds(2))
    expectNoDifference(now.timeSince1970 - start.timeSince1970, .seconds(2))
    timer.cancel()
  }

  @Test("Nothing is called while the device sleeps; what was due is called at the wake-up")
  func nothingIsCalledWhileDeviceSleeps() {
    let timers = [timer("second", at: 2), timer("first", at: 1), timer("later", at: 11)]
    clock.sleepDevice(for: .seconds(10))
    expectNoDifference(trace.take(), ["first at 10", "second at 10"])
    clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["later at 11"])
    withExtendedLifetime(timers) {}
  }

  @Test("A deadline that has passed is due at the next move, and the clock doesn't go back")
  func passedDeadlineIsDueAtTheNextMove() {
    let timers = [timer("passed", at: -5), timer("now", at: 0)]
    expectNoDifference(trace.take(), [])
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["passed at 0", "now at 0"])
    withExtendedLifetime(timers) {}
  }

  @Test("What a timer schedules takes part in the same move")
  func scheduledByATimer() {
    let timers = Locked<[LifecycleCancellable]>([])
    @Sendable func again(at seconds: Int) {
      let timer = clock.schedule(at: .boot + .seconds(3600 + seconds)) {
        trace("at \(time(clock))")
        if seconds == 2 { timers.withLock { $0.append(self.timer("passed", at: 1)) } }
        again(at: seconds + 2)
      }
      timers.withLock { $0.append(timer) }
    }
    again(at: 0)
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), ["at 0", "at 2", "passed at 2", "at 4"])
    clock.sleepDevice(for: .seconds(5))
    expectNoDifference(trace.take(), ["at 10", "at 10", "at 10"])
    for timer in timers.withLock({ $0 }) { timer.cancel() }
  }

  @Test("A timer that moves the clock calls what becomes due, and the outer move goes on")
  func movedByATimer() {
    let outer = clock.schedule(at: .boot + .seconds(3601)) { [self] in
      trace("outer at \(time(clock))")
      clock.advance(by: .seconds(2))
      trace("outer goes on at \(time(clock))")
    }
    let timers = [timer("inner", at: 2), timer("after", at: 6), timer("never", at: 8)]
    clock.advance(by: .seconds(5))
    expectNoDifference(
      trace.lines,
      ["outer at 1", "inner at 2", "outer goes on at 3", "after at 6"]
    )
    expectNoDifference(time(clock), "7")
    outer.cancel()
    withExtendedLifetime(timers) {}
  }

  @Test("A timer that was cancelled or released is not called, not even by another one's call")
  func cancelledTimerIsNotCalled() {
    var released: LifecycleCancellable? = timer("released", at: 1)
    let cancelled = timer("cancelled", at: 1)
    let victim = timer("victim", at: 3)
    let killer = clock.schedule(at: .boot + .seconds(3602)) { victim.cancel() }
    cancelled.cancel()
    withExtendedLifetime(released) {}
    released = nil
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.lines, [])
    expectNoDifference(clock.timerCount, 0)
    killer.cancel()
  }

  @Test("What a timer holds is released when it is cancelled, and after its call, without a lock")
  func timerReleasesWhatItHolds() {
    let asked = Canary { [self] in trace("released at \(time(clock))") }
    let schedule = { (canary: Canary) in
      self.clock.schedule(at: .boot + .seconds(3602)) { canary.sing() }
    }
    var timers = [schedule(asked)]
    timers.append(schedule(Canary { [self] in trace("released at \(time(clock))") }))
    timers[1].cancel()
    expectNoDifference(trace.take(), ["released at 0"])
    timers[1] = schedule(Canary { [self] in trace("released at \(time(clock))") })
    clock.advance(by: .seconds(5))
    expectNoDifference(trace.take(), ["released at 2"])
    withExtendedLifetime((timers, asked)) {}
  }

  @Test("Threads that move one clock move it by the sum, and each timer is called once")
  func threadsMoveByTheSum() async {
    let threads = 4
    let rounds = 100
    let wall = clock.now.timeSince1970
    let calls = (0..<threads * rounds).map { _ in Counter() }
    let early = Counter()
    let timers = calls.indices.map { index in
      let deadline = ContinuousInstant.boot + .seconds(3601 + index)
      return clock.schedule(at: deadline) { [clock] in
        calls[index].add()
        if clock.continuous < deadline { early.add() }
      }
    }
    await awaitOtherThreads(threads) { thread in
      for round in 0..<rounds {
        let passing = clock.schedule(at: clock.continuous) {}
        switch round % 3 {
        case 0: clock.advance(by: .seconds(1))
        case 1: clock.sleepDevice(for: .seconds(1))
        default: clock.stopProcess(for: .seconds(1))
        }
        clock.setWallClock(by: .seconds(1))
        passing.cancel()
      }
    }
    expectNoDifference(time(clock), "\(threads * rounds)")
    expectNoDifference(clock.now.timeSince1970 - wall, .seconds(2 * threads * rounds))
    #expect(calls.allSatisfy { $0.count == 1 })
    expectNoDifference(early.count, 0)
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(timers) {}
  }

  // MARK: Every sequence

  private enum Step: CaseIterable {
    case scheduleNow, scheduleSoon, scheduleLater, cancelOldest, advance, advanceFar, sleep, stop
  }

  /// A clock whose timers are a list that is searched from the front.
  private struct Oracle {
    var now = 0
    var timers: [(id: Int, deadline: Int)] = []
    var calls: [String] = []

    mutating func move(by time: Int, late: Bool) {
      let end = now + time
      if late { now = end }
      while let due = timers.filter({ $0.deadline <= end }).min(by: { $0.deadline < $1.deadline }) {
        now = max(now, due.deadline)
        timers.removeAll { $0.id == due.id }
        calls.append("\(due.id) at \(now)")
      }
      now = end
    }
  }

  @Test("Every sequence of scheduling, cancelling and moving up to five steps")
  func everySequence() {
    let steps = Step.allCases
    for length in 1...5 {
      var indices = Array(repeating: 0, count: length)
      repeat {
        run(indices.map { steps[$0] })
      } while increment(&indices, below: steps.count)
    }
  }

  private func increment(_ digits: inout [Int], below base: Int) -> Bool {
    for position in digits.indices.reversed() {
      digits[position] += 1
      if digits[position] < base { return true }
      digits[position] = 0
    }
    return false
  }

  private func run(_ steps: [Step]) {
    let clock = ManualClock()
    let trace = Trace()
    var oracle = Oracle()
    var timers: [Int: LifecycleCancellable] = [:]
    func schedule(_ id: Int, after delay: Int) {
      oracle.timers.append((id, oracle.now + delay))
      timers[id] = clock.schedule(at: clock.continuous + .seconds(delay)) { [self] in
        trace("\(id) at \(time(clock))")
      }
    }
    for (id, step) in steps.enumerated() {
      switch step {
      case .scheduleNow: schedule(id, after: 0)
      case .scheduleSoon: schedule(id, after: 1)
      case .scheduleLater: schedule(id, after: 2)
      case .cancelOldest:
        guard !oracle.timers.isEmpty else { continue }
        timers[oracle.timers.removeFirst().id]?.cancel()
      case .advance:
        oracle.move(by: 1, late: false)
        clock.advance(by: .seconds(1))
      case .advanceFar:
        oracle.move(by: 3, late: false)
        clock.advance(by: .seconds(3))
      case .sleep:
        oracle.move(by: 2, late: true)
        clock.sleepDevice(for: .seconds(2))
      case .stop:
        oracle.move(by: 2, late: true)
        clock.stopProcess(for: .seconds(2))
      }
    }
    let isRight =
      trace.lines == oracle.calls && time(clock) == "\(oracle.now)"
      && clock.timerCount == oracle.timers.count
    if !isRight {
      expectNoDifference(trace.lines, oracle.calls, "\(steps)")
      Issue.record("The clock is not where it should be after \(steps)")
    }
  }
}
