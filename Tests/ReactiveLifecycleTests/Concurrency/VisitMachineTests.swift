import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Concurrency: the visit machine")
struct VisitMachineTests {
  enum Input: String, CaseIterable, Sendable { case add, wait, returned, arrive, leave, end }

  /// The rules: a runner starts when it has been added, waits, and the visit is fresh.
  private struct Rules {
    private var counts: [Input: Int] = [:]
    private var starts = 0
    private var isWaiting = false
    private var isVisit = false
    private var isFresh = false
    private var isOver = false
    private var inside: Int?

    func count(_ input: Input) -> Int { counts[input, default: 0] }

    /// The shell adds a runner only when the one before is done, and each runner waits once.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .add: count(.add) == count(.returned)
      case .wait: count(.wait) == count(.returned)
      // A runner that waits can't be done.
      case .returned:
        count(.add) > count(.returned) && count(.wait) > count(.returned) && !isWaiting
      case .arrive, .leave, .end: true
      }
    }

    /// Returns what the input makes happen.
    mutating func take(_ input: Input) -> String? {
      counts[input, default: 0] += 1
      switch input {
      case .add: break
      case .wait:
        if isOver { return "finish \(count(.wait))" }
        isWaiting = true
      case .returned: inside = nil
      case .arrive:
        if !isVisit && !isOver { (isVisit, isFresh) = (true, true) }
      case .end where isWaiting:
        (isOver, isWaiting) = (true, false)
        return "finish \(count(.wait))"
      case .leave, .end:
        if input == .end { isOver = true }
        (isVisit, isFresh) = (false, false)
        defer { inside = nil }
        return inside.map { "cancel \($0)" }
      }
      guard isFresh, isWaiting, count(.add) > starts else { return nil }
      starts += 1
      (isFresh, isWaiting, inside) = (false, false, starts)
      return "start \(count(.wait))"
    }
  }

  private let trace = Trace()
  private let runners = (0...8).map { _ in Task<Bool, any Error> { false } }

  private func take(_ input: Input, _ number: Int, _ machine: inout VisitMachine) -> String? {
    var action: VisitMachine.Action?
    switch input {
    case .add: action = machine.add(runners[number])
    case .wait:
      action = machine.wait { [trace] in trace("\($0 ? "start" : "finish") \(number)") }
    case .returned: _ = machine.runnerDidReturn()
    case .arrive: action = machine.arrive()
    case .leave: action = machine.leave()
    case .end: action = machine.end()
    }
    switch action {
    case .resume(let waiter, let starts):
      waiter(starts)
      return trace.take().last
    case .cancel(let runner): return runners.firstIndex(of: runner).map { "cancel \($0)" }
    case nil: return nil
    }
  }

  @Test("Every sequence of inputs does what the rules say")
  func everySequence() {
    var count = 0
    func extend(_ machine: VisitMachine, _ rules: Rules, _ past: [Input]) {
      count += 1
      guard past.count < 7 else { return }
      for input in Input.allCases where rules.allows(input) {
        var (machine, rules) = (machine, rules)
        let text = take(input, rules.count(input) + 1, &machine)
        let expected = rules.take(input)
        guard text == expected else {
          Issue.record("\(past) \(input): \(text ?? "nothing") instead of \(expected ?? "nothing")")
          return
        }
        extend(machine, rules, past + [input])
      }
    }
    extend(VisitMachine(), Rules(), [])
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
}
