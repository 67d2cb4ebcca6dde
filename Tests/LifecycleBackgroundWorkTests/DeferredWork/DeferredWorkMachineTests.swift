import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleBackgroundWork

/// What a deferred-work queue does, as rules about one list of jobs with a note each.
struct DeferredWorkOracle {
  enum Input: Hashable, CaseIterable {
    case enqueueA, enqueueB, event, waiter, withdraw, expire
    /// The job that runs returns; unfinished, if it was asked to stop.
    case returns, throwsError
    /// The wake is finished, if no job is left to begin.
    case finish
    case end
  }

  struct Job {
    let id: String
    let number: Int
    /// Whether this wake runs it.
    var isOfWake = false
  }

  var jobs: [Job] = []
  var running: Job?
  var isRunningKept = false
  var isAwake = false
  /// Whether no other job begins in this wake.
  var isClosed = false
  var isEnded = false
  /// Whether an event wants this wake, the next; how many waiters do.
  var events = [false, false]
  var waiters = [0, 0]
  var number = 0

  mutating func feed(_ input: Input) -> [String] {
    switch input {
    case .enqueueA: enqueue("a")
    case .enqueueB: enqueue("b")
    case .event: return ask { $0.events[$1] = true }
    case .waiter: return ask { $0.waiters[$1] += 1 }
    case .withdraw:
      // The waiter who came first.
      if waiters[0] > 0 {
        waiters[0] -= 1
        return waiters[0] == 0 && !events[0] ? close() : []
      }
      waiters[1] = max(waiters[1] - 1, 0)
    case .expire: return isAwake ? close() : []
    case .returns, .throwsError:
      guard let job = running else { return [] }
      running = nil
      if input == .throwsError, isClosed, isRunningKept, !isEnded {
        jobs.append(Job(id: job.id, number: job.number))
      }
      return begin()
    case .finish:
      guard isAwake, running == nil else { return [] }
      isAwake = false
      (events, waiters) = ([events[1], false], [waiters[1], 0])
      guard !isEnded, events[0] || waiters[0] > 0, !jobs.isEmpty else {
        (events, waiters) = ([false, false], [0, 0])
        return ["finished"]
      }
      return ["finished"] + wake()
    case .end:
      isEnded = true
      isRunningKept = false
      jobs = []
      return isAwake ? close() : []
    }
    return []
  }

  private mutating func enqueue(_ id: String) {
    guard !isEnded else { return }
    number += 1
    if let position = jobs.firstIndex(where: { $0.id == id && !$0.isOfWake }) {
      jobs[position] = Job(id: id, number: number)
    } else {
      leave(id)
      jobs.append(Job(id: id, number: number))
    }
  }

  private mutating func leave(_ id: String) {
    jobs.removeAll { $0.id == id && $0.isOfWake }
    if running?.id == id { isRunningKept = false }
  }

  private mutating func ask(_ note: (inout Self, Int) -> Void) -> [String] {
    guard !isEnded, isAwake || !jobs.isEmpty else { return [] }
    note(&self, isAwake && isClosed ? 1 : 0)
    guard isAwake else { return wake() }
    if !isClosed { take() }
    return []
  }

  /// The wake runs all jobs that are waiting.
  private mutating func take() {
    for index in jobs.indices { jobs[index].isOfWake = true }
  }

  private mutating func wake() -> [String] {
    isAwake = true
    isClosed = false
    take()
    return ["wakes"] + begin()
  }

  private mutating func begin() -> [String] {
    guard !isClosed, let position = jobs.firstIndex(where: \.isOfWake) else {
      isClosed = true
      return []
    }
    running = jobs.remove(at: position)
    isRunningKept = true
    return ["\(running!.id) \(running!.number)"]
  }

  private mutating func close() -> [String] {
    guard !isClosed else { return [] }
    isClosed = true
    for index in jobs.indices { jobs[index].isOfWake = false }
    return ["stop"]
  }
}

@Suite("Deferred work: the machine")
struct DeferredWorkMachineTests {
  /// A machine, with what its shell would know.
  struct Driver: Hashable {
    var machine = DeferredWorkMachine()
    var wake: Int?
    var isRunning = false
    /// The wakes that waiters wait for.
    var waiters: [Int] = []

    mutating func feed(_ input: DeferredWorkOracle.Input) -> [String] {
      switch input {
      case .enqueueA: _ = machine.enqueue("a")
      case .enqueueB: _ = machine.enqueue("b")
      case .event: return ask(.event)
      case .waiter: return ask(.waiter)
      case .withdraw:
        guard !waiters.isEmpty else { return [] }
        return machine.withdraw(from: waiters.removeFirst()) ? ["stop"] : []
      case .expire: return wake.map { machine.stop($0) } == true ? ["stop"] : []
      case .returns, .throwsError:
        guard isRunning else { return [] }
        _ = machine.didReturn(unfinished: input == .throwsError && machine.isStopped)
        return next()
      case .finish:
        guard let ended = wake, !isRunning else { return [] }
        wake = machine.finish()
        waiters = wake == nil ? [] : waiters.filter { $0 > ended }
        return ["finished"] + (wake == nil ? [] : ["wakes"] + next())
      case .end:
        let wasStopped = machine.isStopped
        machine.end()
        return wake != nil && !wasStopped ? ["stop"] : []
      }
      return []
    }

    private mutating func ask(_ caller: DeferredWorkMachine.Caller) -> [String] {
      guard let (number, begins) = machine.wake(for: caller) else { return [] }
      if caller == .waiter { waiters.append(number) }
      guard begins else { return [] }
      wake = number
      return ["wakes"] + next()
    }

    private mutating func next() -> [String] {
      let entry = machine.next()
      isRunning = entry != nil
      return entry.map { ["\($0.id) \($0.number)"] } ?? []
    }
  }

  @Test("Every sequence of six inputs, and of five in a wake of two jobs, agrees with the rules")
  func everySequence() {
    var count = 0
    var length = 6
    func check(_ inputs: [DeferredWorkOracle.Input], _ driver: Driver, _ oracle: DeferredWorkOracle)
    {
      guard inputs.count < length else { return }
      for input in DeferredWorkOracle.Input.allCases {
        var (after, rules) = (driver, oracle)
        let (lines, expected) = (after.feed(input), rules.feed(input))
        count += 1
        if lines != expected { Issue.record("\(inputs + [input]): \(lines), not \(expected)") }
        let pending = after.machine.pending.map { "\($0.id) \($0.number)" }
        let kept = (rules.jobs.filter(\.isOfWake) + rules.jobs.filter { !$0.isOfWake })
          .map { "\($0.id) \($0.number)" }
        if pending != kept { Issue.record("\(inputs + [input]): \(pending) wait, not \(kept)") }
        // What changes nothing leads nowhere else.
        if after != driver { check(inputs + [input], after, rules) }
      }
    }
    for first in [[], [DeferredWorkOracle.Input.enqueueA, .enqueueB, .event]] {
      var (driver, oracle) = (Driver(), DeferredWorkOracle())
      for input in first { expectNoDifference(driver.feed(input), oracle.feed(input)) }
      length = first.isEmpty ? 6 : 5
      check([], driver, oracle)
    }
    #expect(count > 40_000)
  }

  @Test("A caller that withdraws from a wake that never began does not stop the next one")
  func leavesTooLate() {
    var machine = DeferredWorkMachine()
    _ = machine.enqueue("a")
    _ = machine.wake(for: .event)
    _ = machine.next()
    _ = machine.stop(1)
    let promised = machine.wake(for: .waiter)?.number ?? 0
    _ = machine.didReturn(unfinished: false)
    _ = machine.next()
    let following = machine.finish()
    expectNoDifference(following, nil)

    _ = machine.enqueue("b")
    let begun = machine.wake(for: .waiter)?.number ?? 0
    #expect(promised > 0 && begun > 0)
    let stops = machine.withdraw(from: promised)
    #expect(!stops)
    #expect(!machine.isStopped)
  }
}
