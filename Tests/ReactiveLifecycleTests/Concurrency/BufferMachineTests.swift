import CustomDump
import Testing

@testable import ReactiveLifecycle

@Suite("Concurrency: the buffer machine")
struct BufferMachineTests {
  typealias Machine = BufferMachine<Int, Int>

  enum Input: CaseIterable { case offer, wait, finish }

  /// The same in plain arrays, with a bound from either end.
  private struct Oracle {
    let limit: Int?
    let keepsNewest: Bool
    private var values: [Int] = []
    private var waiters: [Int] = []
    private var isFinished = false

    init(limit: Int?, keepsNewest: Bool) {
      self.limit = limit
      self.keepsNewest = keepsNewest
    }

    mutating func handle(_ input: Input, _ number: Int) -> String {
      switch input {
      case .offer where isFinished: return "drop \(number)"
      case .offer:
        if !waiters.isEmpty { return "give \(waiters.removeFirst())" }
        values.append(number)
        guard let limit, values.count > limit else { return "keep" }
        return "drop \(keepsNewest ? values.removeFirst() : values.removeLast())"
      case .wait:
        if !values.isEmpty { return "value \(values.removeFirst())" }
        if isFinished { return "end" }
        waiters.append(number)
        return "waits"
      case .finish:
        isFinished = true
        defer { waiters = [] }
        return "finish \(waiters)"
      }
    }
  }

  private func handle(_ input: Input, _ number: Int, _ machine: inout Machine) -> String {
    switch input {
    case .offer:
      switch machine.offer(number) {
      case (let waiter?, nil): "give \(waiter)"
      case (nil, let dropped?): "drop \(dropped)"
      case (nil, nil): "keep"
      case (_?, _?): "both"
      }
    case .wait:
      switch machine.wait(number) {
      case .some(let value?): "value \(value)"
      case .some(nil): "end"
      case .none: "waits"
      }
    case .finish: "finish \(machine.finish())"
    }
  }

  @Test("Every sequence of inputs, with every bound")
  func everySequence() {
    func extend(_ machine: Machine, _ oracle: Oracle, _ past: [Input]) {
      guard past.count < 7 else { return }
      for input in Input.allCases {
        var machine = machine
        var oracle = oracle
        let text = handle(input, past.count, &machine)
        let expected = oracle.handle(input, past.count)
        guard text == expected else {
          Issue.record("\(past) \(input): \(text) instead of \(expected)")
          return
        }
        extend(machine, oracle, past + [input])
      }
    }
    extend(Machine(.unbounded), Oracle(limit: nil, keepsNewest: false), [])
    for limit in 0...3 {
      extend(Machine(.bufferingOldest(limit)), Oracle(limit: limit, keepsNewest: false), [])
      extend(Machine(.bufferingNewest(limit)), Oracle(limit: limit, keepsNewest: true), [])
    }
  }
}
