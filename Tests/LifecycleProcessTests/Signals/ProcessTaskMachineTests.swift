import CustomDump
import TestSupport
import Testing

@testable import LifecycleProcess

@Suite("Background tasks of the process: the machine")
struct ProcessTaskMachineTests {
  private let start = SuspendingClock.now

  private func at(_ seconds: Double) -> SuspendingClock.Instant { start + .seconds(seconds) }

  @Test("Expiration handlers have half a second after observers have returned")
  func lateHandlers() {
    var machine = ProcessTaskMachine()
    _ = machine.begin(.init(grace: .seconds(1)), at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.expire(at: at(1))
    // Observers have kept the main thread until now.
    expectNoDifference(machine.nextDeadline(waitingSince: at(3)), at(3.5))
    expectNoDifference(machine.finish(at: at(3.4), waitingSince: at(3)), false)
    expectNoDifference(machine.finish(at: at(3.5), waitingSince: at(3)), true)
    machine.endGrace()
    // The next stop leaves it behind at once.
    machine.startGrace(of: .stop, at: at(10))
    expectNoDifference(machine.expire(at: at(20)), [])
    expectNoDifference(machine.finish(at: at(10), waitingSince: at(10)), true)
    machine.endGrace()
    expectNoDifference(
      machine.beginHandler(of: 1),
      true,
      "called all the same, once the main thread is free"
    )
  }

  @Test("The next deadline is the first expiration, and after all of them the last handler's limit")
  func nextDeadline() {
    var machine = ProcessTaskMachine()
    for grace in [2, 1, 3] { _ = machine.begin(.init(grace: .seconds(grace)), at: at(0)) }
    machine.startGrace(of: .stop, at: at(0))
    var deadlines: [SuspendingClock.Instant?] = []
    for second in 0...3 {
      _ = machine.expire(at: at(Double(second)))
      deadlines.append(machine.nextDeadline(waitingSince: at(0)))
    }
    expectNoDifference(deadlines, [at(1), at(2), at(3), at(3.5)])
  }

  @Test("The longest delay of the end is that of the open task that has the most time left")
  func longestDelayOfEnd() {
    var machine = ProcessTaskMachine()
    expectNoDifference(machine.longestDelayOfEnd(at: at(0)), nil)
    _ = machine.begin(.init(grace: .seconds(2)), at: at(0))
    let longest = machine.begin(.init(grace: .seconds(5), occasions: [.end]), at: at(0))
    expectNoDifference(machine.longestDelayOfEnd(at: at(9)), .seconds(5))
    machine.startGrace(of: .end, at: at(10))
    expectNoDifference(machine.longestDelayOfEnd(at: at(11)), .seconds(4))
    machine.end(longest!)
    expectNoDifference(machine.longestDelayOfEnd(at: at(11)), .seconds(1))
  }

  @Test("A task has delayed the end if it was open at its announcement, or began after that")
  func hasDelayedEnd() {
    let (stops, ends) = (
      ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.stop]),
      ProcessTaskMachine.Grant(grace: .seconds(1), occasions: [.end])
    )
    var machine = ProcessTaskMachine()
    _ = machine.begin(stops, at: at(0))
    let task = machine.begin(ends, at: at(0))
    machine.startGrace(of: .stop, at: at(0))
    _ = machine.begin(ends, at: at(0)).map { machine.end($0) }
    #expect(!machine.hasDelayedEnd, "that is a stop")
    machine.endGrace()
    machine.startGrace(of: .end, at: at(1))
    #expect(machine.hasDelayedEnd)
    machine.end(task!)
    #expect(machine.hasDelayedEnd, "it has delayed the end, although it is over")
    machine.startGrace(of: .end, at: at(2))
    _ = machine.begin(stops, at: at(2))
    #expect(!machine.hasDelayedEnd, "nothing delays the end that is announced now")
    _ = machine.begin(ends, at: at(2))
    #expect(machine.hasDelayedEnd)
  }
}

/// Every sequence of what may happen, one second a step.
@Suite("Background tasks of the process: every input sequence")
struct ProcessTaskMachineExhaustiveTests {
  enum Step: CaseIterable {
    case beginShort, beginLong, beginEndOnly, endFirst, endLast, stop, end, go, expire, handle
    case handled, finish
  }

  /// What somebody may know who keeps a list of tasks.
  struct Oracle: Equatable {
    struct Task: Equatable {
      let id: Int
      let grace: Int
      let isEndOnly: Bool
      var expiredAt: Int?
      var isRunning = false
      var isEnded = false
      var isLeftBehind = false
    }
    var tasks: [Task] = []
    var began: Int?
    var isEnd = false
    var isOver = false
    var handlersCalled: Set<Int> = []
    var lastID = 0

    /// What is under way does not concern a task that delays the end alone, unless it is the end.
    func concerns(_ isEndOnly: Bool) -> Bool { isEnd || !isEndOnly }
  }

  /// One thread is nothing for the thread sanitizer, which is slow.
  private static let longest = isThreadSanitized ? 5 : 6

  @Test("Every sequence of up to six inputs keeps the rules of tasks")
  func everySequence() {
    var search = Search(start: .now)
    search.explore(ProcessTaskMachine(), Oracle(), depth: 1)
    expectNoDifference(search.breaches, [])
    expectNoDifference(search.sequences, (1...Self.longest).reduce(0) { sum, n in sum + power(n) })
    #expect(search.handlers > 20)
    #expect(search.stops > 500)
  }

  private func power(_ n: Int) -> Int { (0..<n).reduce(1) { p, _ in p * Step.allCases.count } }

  private struct Search {
    let start: SuspendingClock.Instant
    var path: [Step] = []
    var breaches: [String] = []
    var sequences = 0
    var handlers = 0
    var stops = 0

    mutating func explore(_ machine: ProcessTaskMachine, _ oracle: Oracle, depth: Int) {
      for step in Step.allCases {
        var (after, known) = (machine, oracle)
        path.append(step)
        sequences += 1
        if let breach = perform(step, at: depth, &after, &known) {
          if breaches.count < 5 { breaches.append("\(breach): \(path)") }
        } else if depth < longest {
          explore(after, known, depth: depth + 1)
        }
        path.removeLast()
      }
    }

    private mutating func perform(
      _ step: Step,
      at second: Int,
      _ machine: inout ProcessTaskMachine,
      _ oracle: inout Oracle
    ) -> String? {
      let now = start + .seconds(second)
      switch step {
      case .beginShort, .beginLong, .beginEndOnly:
        let (grace, isEndOnly) = (step == .beginLong ? 3 : 1, step == .beginEndOnly)
        let isFree = oracle.began.map { second < $0 + grace } ?? true
        let isGranted = !oracle.concerns(isEndOnly) || (!oracle.isOver && isFree)
        let occasions: ProcessTaskMachine.Occasions = isEndOnly ? [.end] : [.stop, .end]
        let grant = ProcessTaskMachine.Grant(grace: .seconds(grace), occasions: occasions)
        let isTimeLeft = machine.remainingTime(of: grant, at: now) > .zero
        if isTimeLeft != isGranted { return "remaining time is what is granted" }
        let id = machine.begin(grant, at: now)
        guard isGranted else { return id == nil ? nil : "granted what is over" }
        oracle.lastID += 1
        oracle.tasks.append(.init(id: oracle.lastID, grace: grace, isEndOnly: isEndOnly))
        return id == oracle.lastID ? nil : "not granted"
      case .endFirst, .endLast:
        let all = oracle.tasks.filter { !$0.isEnded }
        guard let task = step == .endFirst ? all.first : all.last else { return nil }
        machine.end(task.id)
        if !task.isRunning, machine.beginHandler(of: task.id) {
          return "a handler is not called late"
        }
        oracle.tasks.removeAll { $0.id == task.id && !$0.isRunning }
        if let index = oracle.tasks.firstIndex(where: { $0.id == task.id }) {
          oracle.tasks[index].isEnded = true
        }
      case .stop, .end:
        machine.startGrace(of: step == .end ? .end : .stop, at: now)
        oracle.began = second
        oracle.isEnd = step == .end
        oracle.isOver = false
      case .go:
        machine.endGrace()
        oracle.began = nil
        oracle.isOver = false
      case .expire:
        var expected: [Int] = []
        if let began = oracle.began, !oracle.isOver {
          for index in oracle.tasks.indices where oracle.tasks[index].expiredAt == nil {
            guard oracle.concerns(oracle.tasks[index].isEndOnly) else { continue }
            guard began + oracle.tasks[index].grace <= second else { continue }
            oracle.tasks[index].expiredAt = second
            expected.append(oracle.tasks[index].id)
          }
        }
        return machine.expire(at: now) == expected ? nil : "expires those whose time is up"
      case .handle:
        guard let index = oracle.tasks.firstIndex(where: { $0.expiredAt != nil && !$0.isRunning })
        else { return nil }
        let id = oracle.tasks[index].id
        oracle.tasks[index].isRunning = true
        handlers += 1
        if !oracle.handlersCalled.insert(id).inserted { return "a handler is called once" }
        if !machine.beginHandler(of: id) { return "a handler is called" }
        if machine.beginHandler(of: id) { return "a handler is called once" }
      case .handled:
        guard let task = oracle.tasks.first(where: \.isRunning) else { return nil }
        machine.finishHandler(of: task.id)
        oracle.tasks.removeAll { $0.id == task.id }
      case .finish:
        guard oracle.began != nil, !oracle.isOver else { return nil }
        // A second is more than a handler's time.
        let isDone = oracle.tasks.allSatisfy { task in
          !oracle.concerns(task.isEndOnly) || task.isLeftBehind
            || task.expiredAt.map { $0 < second } ?? false
        }
        let wait = start + .seconds(oracle.began ?? 0)
        let isFinished = machine.finish(at: now, waitingSince: wait)
        if isFinished != isDone { return "waits for tasks and handlers" }
        if !isFinished {
          var next = machine
          _ = next.expire(at: now)
          let deadline = next.nextDeadline(waitingSince: wait) ?? now
          if deadline <= now { return "the next deadline is to come" }
        }
        if isFinished {
          oracle.isOver = true
          for index in oracle.tasks.indices
          where oracle.concerns(oracle.tasks[index].isEndOnly) {
            oracle.tasks[index].isLeftBehind = true
          }
          stops += 1
        }
      }
      return machine.count == oracle.tasks.count ? nil : "keeps those that have not ended"
    }
  }
}
