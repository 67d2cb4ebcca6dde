import CustomDump
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Concurrency: the visit machine")
struct VisitMachineTests {
  enum Input: String, CaseIterable, Sendable { case add, wait, returned, arrive, leave, end }

  /// What is known from outside, told in the plainest way: the whole past is looked through each
  /// time.
  private struct Oracle {
    var past: [Input] = []

    /// What the next input makes happen.
    mutating func handle(_ input: Input) -> String? {
      let before = starts
      let wasOver = isOver
      let wasWaiting = isWaiting
      let inside = runnerInside
      past.append(input)
      if starts > before { return "start \(waits)" }
      switch input {
      case .wait where wasOver: return "finish \(waits)"
      case .end where wasWaiting: return "finish \(waits)"
      case .end, .leave: return inside.map { "cancel \($0)" }
      default: return nil
      }
    }

    private var waits: Int { past.count { $0 == .wait } }
    private var isOver: Bool { past.contains(.end) }

    /// How many runners have been let in: replays the past by the rule alone.
    private var starts: Int { replay.starts }
    private var isWaiting: Bool { replay.isWaiting }
    private var runnerInside: Int? { replay.inside }

    private var replay: (starts: Int, isWaiting: Bool, inside: Int?) {
      var (starts, added, isWaiting, isFresh, isAway, isOver) = (0, 0, false, false, true, false)
      var inside: Int?
      for input in past {
        switch input {
        case .add: added += 1
        case .wait: isWaiting = !isOver
        case .returned: inside = nil
        case .arrive:
          if isAway && !isOver { (isAway, isFresh) = (false, true) }
        case .leave: (isAway, isFresh, inside) = (true, false, nil)
        case .end:
          if !isWaiting { (isAway, isFresh, inside) = (true, false, nil) }
          (isOver, isWaiting) = (true, false)
        }
        if isFresh && isWaiting && added > starts {
          starts += 1
          inside = starts
          (isFresh, isWaiting) = (false, false)
        }
      }
      return (starts, isWaiting, inside)
    }
  }

  /// The shell adds a runner only when the one before is done, and each runner waits once.
  private func isLegal(_ input: Input, after past: [Input]) -> Bool {
    let added = past.count { $0 == .add }
    let waited = past.count { $0 == .wait }
    let returned = past.count { $0 == .returned }
    return switch input {
    case .add: added == returned && waited <= added + 1
    case .wait: waited == returned
    case .returned: added > returned && waited > returned
    case .arrive, .leave, .end: true
    }
  }

  @Test("Every sequence of inputs does what the rules say")
  func everySequence() {
    var count = 0
    func extend(
      _ machine: VisitMachine<Int, Int>,
      _ oracle: Oracle,
      _ waiting: Set<Int>,
      _ depth: Int
    ) {
      count += 1
      guard depth > 0 else { return }
      for input in Input.allCases where isLegal(input, after: oracle.past) {
        // Who has not been told yet can't be done.
        if input == .returned && !waiting.isEmpty { continue }
        var machine = machine
        var oracle = oracle
        var waiting = waiting
        let number = oracle.past.count { $0 == input } + 1
        if input == .wait { waiting.insert(number) }
        let action: VisitMachine<Int, Int>.Action? =
          switch input {
          case .add: machine.add(number)
          case .wait: machine.wait(number)
          case .returned: runnerReturns(&machine)
          case .arrive: machine.arrive()
          case .leave: machine.leave()
          case .end: machine.end()
          }
        let text: String? =
          switch action {
          case .start(let waiter): "start \(waiter)"
          case .finish(let waiter): "finish \(waiter)"
          case .cancel(let runner): "cancel \(runner)"
          case nil: nil
          }
        let expected = oracle.handle(input)
        if text != expected {
          Issue.record("\(oracle.past): \(text ?? "nothing") instead of \(expected ?? "nothing")")
          return
        }
        if case .start(let waiter) = action { waiting.remove(waiter) }
        if case .finish(let waiter) = action { waiting.remove(waiter) }
        extend(machine, oracle, waiting, depth - 1)
      }
    }
    extend(VisitMachine(), Oracle(), [], 7)
    #expect(count > 5_000)
  }

  @Test("The phase of a bus that has ended lets nobody in")
  @MainActor
  func endedBus() async throws {
    let visits = Visits(.atMost(.background))
    visits.join(at: DeliveredState(phase: .terminated))
    let next = Task { try await visits.runNext(isolation: #isolation) {} }
    // The run waits, or would have been let in.
    for _ in 1...3 { await mainQueueToDrain() }
    visits.busDidEnd()
    let hasRun = try await next.value
    #expect(!hasRun)
  }

  private func runnerReturns(_ machine: inout VisitMachine<Int, Int>) -> VisitMachine<Int, Int>
    .Action?
  {
    _ = machine.runnerDidReturn()
    return nil
  }
}
