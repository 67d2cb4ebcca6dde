import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleTesting

@Suite("The machine of the manual clock")
struct ManualClockMachineTests {
  private enum Step: CaseIterable {
    case scheduleNow, scheduleSoon, scheduleLater, cancelOldest, enqueue
    case advance, advanceTo, run, sleep, restart, cancelAll
  }

  /// Clocks whose deadlines are a list that is kept sorted.
  private struct Oracle {
    var now = 0
    var elapsed = 0
    var boot = 0
    var scheduled: [(id: Int, deadline: Int)] = []
    var queued: [Int] = []
    var calls: [String] = []

    mutating func schedule(_ id: Int, at deadline: Int) {
      scheduled.append((id, deadline))
      scheduled.sort { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }

    mutating func callQueued() {
      for id in queued { calls.append("\(id) at \(now)") }
      queued = []
    }

    mutating func move(to end: Int) {
      callQueued()
      while let next = scheduled.first, next.deadline <= end {
        scheduled.removeFirst()
        elapsed += max(next.deadline - now, 0)
        now = max(next.deadline, now)
        calls.append("\(next.id) at \(now)")
      }
      elapsed += max(end - now, 0)
      now = max(end, now)
    }

    mutating func run() {
      callQueued()
      scheduled.last.map { move(to: max($0.deadline, now)) }
    }

    mutating func jump(by time: Int) {
      callQueued()
      now += time
      elapsed += time
      move(to: now)
    }

    mutating func restart(after time: Int) {
      elapsed += time
      boot += 1
      now = 30
      scheduled = []
    }
  }

  @Test("What is left when most work was cancelled is due in order")
  func cancellationOfMost() {
    var life = Life()
    let ids = (0..<300).map {
      life.machine.schedule(at: .boot + .seconds(400 - $0), $0)
    }
    for id in ids where id % 100 != 0 { _ = life.machine.cancel(id) }
    life.call { $0.advanceToNext() }
    expectNoDifference(life.calls, ["200 at 200", "100 at 300", "0 at 400"])
  }

  @Test("Every sequence of 5 schedulings, cancellations and moves calls what a sorted list says")
  func everySequence() {
    func extend(_ life: Life, _ steps: [Step]) {
      guard steps.count < 5 else { return }
      for step in Step.allCases {
        var next = life
        next.take(step, after: steps)
        extend(next, steps + [step])
      }
    }
    extend(Life(), [])
  }

  /// A machine and its oracle, which take the same steps.
  private struct Life {
    var machine = ManualClockMachine<Int>(
      now: LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    )
    var oracle = Oracle()
    var calls: [String] = []
    var ids: [Int: Int] = [:]

    mutating func call(_ next: (inout ManualClockMachine<Int>) -> Int?) {
      while let work = next(&machine) {
        calls.append("\(work) at \(machine.now.continuous.timeSinceBoot.components.seconds)")
      }
    }

    mutating func schedule(_ work: Int, after delay: Int) {
      oracle.schedule(work, at: oracle.now + delay)
      ids[work] = machine.schedule(at: machine.now.continuous + .seconds(delay), work)
    }

    mutating func take(_ step: Step, after steps: [Step]) {
      switch step {
      case .scheduleNow: schedule(steps.count, after: 0)
      case .scheduleSoon: schedule(steps.count, after: 1)
      case .scheduleLater: schedule(steps.count, after: 3)
      case .enqueue:
        oracle.queued.append(steps.count)
        machine.enqueue(steps.count)
      case .cancelOldest:
        guard let oldest = oracle.scheduled.map(\.id).min() else { return }
        oracle.scheduled.removeAll { $0.id == oldest }
        expectNoDifference(machine.cancel(ids[oldest]!), oldest)
        expectNoDifference(machine.cancel(ids[oldest]!), nil)
      case .advance:
        oracle.move(to: oracle.now + 2)
        var time = Duration.seconds(2)
        call { $0.advance(by: &time) }
      case .advanceTo:
        oracle.move(to: 2)
        call { $0.advance(to: .boot + .seconds(2)) }
      case .run:
        oracle.run()
        call { $0.advanceToNext() }
      case .sleep:
        oracle.jump(by: 2)
        call { $0.dequeue() }
        machine.sleep(for: .seconds(2))
        var none = Duration.zero
        call { $0.advance(by: &none) }
      case .restart:
        let dropped = oracle.scheduled.map(\.id).sorted()
        oracle.restart(after: 7)
        expectNoDifference(machine.restart(after: .seconds(7)), dropped)
      case .cancelAll:
        expectNoDifference(machine.cancelAll(), oracle.scheduled.map(\.id).sorted())
        oracle.scheduled = []
      }
      let next =
        oracle.queued.isEmpty
        ? oracle.scheduled.first.map { max($0.deadline - oracle.now, 0) } : 0
      let isRight =
        calls == oracle.calls && machine.now.continuous == .boot + .seconds(oracle.now)
        && machine.elapsed == .seconds(oracle.elapsed)
        && machine.now.timeSince1970 == .seconds(oracle.elapsed)
        && machine.restarts == oracle.boot
        && machine.scheduledCount == oracle.scheduled.count
        && machine.timeToNext() == next.map { .seconds($0) }
      if !isRight {
        expectNoDifference(calls, oracle.calls, "\(steps + [step])")
        Issue.record("The clock is not where it should be after \(steps + [step]): \(machine.now)")
      }
    }
  }
}

@Suite("The suspension of a task")
struct SuspensionTests {
  @Test("A task that waits after its end or cancellation resumes at once, by the first of them")
  func endedBefore() async throws {
    let woken = Suspension()
    woken.end()
    woken.cancel()
    try await woken.wait {}
    let cancelled = Suspension()
    cancelled.cancel()
    cancelled.end()
    await #expect(throws: CancellationError.self) { try await cancelled.wait {} }
  }
}
