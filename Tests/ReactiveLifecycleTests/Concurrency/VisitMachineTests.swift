import CustomDump
import Testing

@testable import ReactiveLifecycle

@Suite("Concurrency: the visit machine")
struct VisitMachineTests {
  enum Input: String, CaseIterable, Sendable { case admit, wait, retire, arrive, leave, end }

  /// What is known from outside, told in the plainest way: the whole past is looked through each
  /// time.
  private struct Oracle {
    var past: [Input] = []

    /// What the next input makes happen.
    mutating func handle(_ input: Input) -> String? {
      let before = letIns
      let wasOver = isOver
      let wasWaiting = isWaiting
      let inside = runnerInside
      past.append(input)
      if letIns > before { return "let in \(waits)" }
      switch input {
      case .wait where wasOver: return "send home \(waits)"
      case .end where wasWaiting: return "send home \(waits)"
      case .end, .leave: return inside.map { "cancel \($0)" }
      default: return nil
      }
    }

    private var waits: Int { past.count { $0 == .wait } }
    private var isOver: Bool { past.contains(.end) }

    /// How many runners have been let in: replays the past by the rule alone.
    private var letIns: Int { replay.letIns }
    private var isWaiting: Bool { replay.isWaiting }
    private var runnerInside: Int? { replay.inside }

    private var replay: (letIns: Int, isWaiting: Bool, inside: Int?) {
      var (letIns, admitted, isWaiting, isFresh, isAway, isOver) = (0, 0, false, false, true, false)
      var inside: Int?
      for input in past {
        switch input {
        case .admit: admitted += 1
        case .wait: isWaiting = !isOver
        case .retire: inside = nil
        case .arrive:
          if isAway && !isOver { (isAway, isFresh) = (false, true) }
        case .leave: (isAway, isFresh, inside) = (true, false, nil)
        case .end:
          if !isWaiting { (isAway, isFresh, inside) = (true, false, nil) }
          (isOver, isWaiting) = (true, false)
        }
        if isFresh && isWaiting && admitted > letIns {
          letIns += 1
          inside = letIns
          (isFresh, isWaiting) = (false, false)
        }
      }
      return (letIns, isWaiting, inside)
    }
  }

  /// The shell admits a runner only when the one before is done, and each runner waits once.
  private func isLegal(_ input: Input, after past: [Input]) -> Bool {
    let admitted = past.count { $0 == .admit }
    let waited = past.count { $0 == .wait }
    let retired = past.count { $0 == .retire }
    return switch input {
    case .admit: admitted == retired && waited <= admitted + 1
    case .wait: waited == retired
    case .retire: admitted > retired && waited > retired
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
        if input == .retire && !waiting.isEmpty { continue }
        var machine = machine
        var oracle = oracle
        var waiting = waiting
        let number = oracle.past.count { $0 == input } + 1
        if input == .wait { waiting.insert(number) }
        let action: VisitMachine<Int, Int>.Action? =
          switch input {
          case .admit: machine.admit(number)
          case .wait: machine.wait(number)
          case .retire: retire(&machine)
          case .arrive: machine.arrive()
          case .leave: machine.leave()
          case .end: machine.end()
          }
        let text: String? =
          switch action {
          case .letIn(let waiter): "let in \(waiter)"
          case .sendHome(let waiter): "send home \(waiter)"
          case .cancel(let runner): "cancel \(runner)"
          case nil: nil
          }
        let expected = oracle.handle(input)
        if text != expected {
          Issue.record("\(oracle.past): \(text ?? "nothing") instead of \(expected ?? "nothing")")
          return
        }
        if case .letIn(let waiter) = action { waiting.remove(waiter) }
        if case .sendHome(let waiter) = action { waiting.remove(waiter) }
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

  private func retire(_ machine: inout VisitMachine<Int, Int>) -> VisitMachine<Int, Int>.Action? {
    _ = machine.retire()
    return nil
  }
}
