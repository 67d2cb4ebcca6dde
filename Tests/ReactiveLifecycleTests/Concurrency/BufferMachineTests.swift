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
      case (let waiter?, []): "give \(waiter)"
      case (nil, []): "keep"
      case (nil, let dropped): "drop \(dropped.map(String.init).joined(separator: ", "))"
      case (_?, _): "both"
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

  @Test("Every sequence of states, of which none follows itself, with every bound")
  func everySequenceOfStates() {
    /// Offers and takes states, and expects that what is received does not repeat itself, and ends
    /// with the state, if the newest are kept.
    func extend(_ machine: Machine, _ state: Int, _ received: [Int], _ limit: Int?, _ depth: Int) {
      for next in 0...2 where next != state {
        var machine = machine
        _ = machine.offer(next)
        check(machine, next, received, limit, depth)
      }
      var (machine, received) = (machine, received)
      if case .some(let value?) = machine.wait(0) {
        received.append(value)
        check(machine, state, received, limit, depth)
      }
    }
    func check(_ machine: Machine, _ state: Int, _ received: [Int], _ limit: Int?, _ depth: Int) {
      var (rest, all) = (machine, received)
      while case .some(let value?) = rest.wait(0) { all.append(value) }
      if zip(all, all.dropFirst()).contains(where: ==) { Issue.record("\(limit as Any): \(all)") }
      if limit != nil, all.last != state { Issue.record("\(limit as Any): \(all) at \(state)") }
      if depth > 1 { extend(machine, state, received, limit, depth - 1) }
    }
    for limit in 1...3 {
      extend(Machine(.bufferingNewest(limit), isSame: ==), -1, [], limit, 8)
      extend(Machine(.bufferingOldest(limit), isSame: ==), -1, [], nil, 8)
    }
  }

  @Test("A state that follows itself is handed out if nothing is lost, or if it is no state")
  func unboundedStates() {
    var machines = [Machine(.unbounded, isSame: ==), Machine(.bufferingNewest(1))]
    for index in machines.indices {
      for _ in 1...2 {
        _ = machines[index].offer(1)
        expectNoDifference(machines[index].wait(0), .some(1))
      }
    }
  }
}
