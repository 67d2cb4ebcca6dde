import CustomDump
import LifecycleCombine
import Testing

@testable import LifecycleBackgroundWork
@testable import ReactiveLifecycle

@Suite("Duty cycle machine, every sequence")
struct DutyCycleMachineTests {
  /// A machine, with what its shell would know.
  struct Driver {
    var machine: DutyCycleMachine
    /// The subscription that is there, or is being made.
    var current: Int?
    var isConnected = false
    /// What upstream owes.
    var owed = 0
    var waiting: [Int] = []
    var number = 0
    var isCalling = false

    init(_ cycle: DutyCycle, credit: Int) {
      machine = DutyCycleMachine(cycle)
      _ = machine.request(.max(credit))
      _ = machine.downstreamDidSubscribe()
      _ = machine.start()
      let unknown = DeliveredState(phase: .active)
      expectNoDifference(perform(machine.join(at: unknown)), ["subscribe"])
    }

    mutating func feed(_ input: DutyCycleOracle.Input) -> [String] {
      switch input {
      case .background: return perform(machine.receiveState(DeliveredState(phase: .background)))
      case .foreground: return perform(machine.receiveState(DeliveredState(phase: .inactive)))
      case .value:
        guard let current, isConnected, !DutyCycleMachine.isRest(current) else { return [] }
        number += 1
        owed -= 1
        let count = machine.downstream.waitingCount
        guard let step = machine.receiveValue(from: current, at: nil) else { return [] }
        expectNoDifference(waiting.count, count)
        waiting.append(number)
        return perform(step)
      case .staleValue:
        guard let current else { return [] }
        #expect(machine.receiveValue(from: current - 1, at: nil) == nil)
        return machine.complete(.finished, from: current - 1).isEmpty ? [] : ["stale"]
      case .connect:
        guard let current, !isConnected else { return [] }
        isConnected = true
        guard let step = machine.connect(current) else { return ["refused"] }
        return perform(step)
      case .finish:
        guard let current else { return [] }
        return perform(machine.complete(.finished, from: current))
      case .request: return perform(machine.request(.max(1)))
      case .callReturns:
        guard isCalling else { return [] }
        isCalling = false
        return perform(machine.callDidReturn(.none))
      case .cancel: return perform(machine.cancel())
      case .busEnd: return machine.downstream.isCompleting ? [] : perform(machine.busDidEnd())
      }
    }

    private mutating func perform(_ step: OperatorStep) -> [String] {
      var lines: [String] = []
      switch step.upstream {
      case .subscribe(let number)?:
        expectNoDifference(current, nil)
        lines += open(number)
      case .cancel?:
        lines.append("stop")
        current = nil
      case .replace(let number)?:
        lines.append("stop")
        lines += open(number)
      case .release?: current = nil
      case nil: break
      }
      if current == nil || !isConnected { owed = 0 }
      owed += step.demand.max ?? 0
      waiting.removeSubrange(step.dropped)
      switch step.call {
      case .value?:
        isCalling = true
        lines.append("\(waiting.removeFirst())")
      case .completion?: lines.append("finished")
      case nil: break
      }
      return lines
    }

    private mutating func open(_ number: Int) -> [String] {
      current = number
      isConnected = false
      return [DutyCycleMachine.isRest(number) ? "rest" : "subscribe"]
    }
  }

  private func check(
    _ inputs: [DutyCycleOracle.Input],
    _ driver: Driver,
    _ oracle: DutyCycleOracle,
    _ length: Int,
    _ count: inout Int
  ) {
    for input in DutyCycleOracle.Input.allCases {
      if input == .value, driver.owed == 0, oracle.link == .upstream { continue }
      var (after, expected) = (driver, oracle)
      let lines = after.feed(input)
      let rules = expected.feed(input)
      count += 1
      let sequence = inputs + [input]
      if lines != rules { Issue.record("\(sequence): \(lines), not \(rules)") }
      // Subscribed, or resting, or neither, and a rest only under its one number.
      let isResting = after.current.map(DutyCycleMachine.isRest) ?? false
      if !expected.isOver {
        let rests = expected.link == .rest || expected.link == .restAwaited
        if isResting != rests { Issue.record("\(sequence): resting \(isResting)") }
      }
      // Downstream's demand is neither exceeded nor forgotten.
      if !expected.isOver, expected.link == .upstream, !expected.isClosing {
        let wanted = max(expected.credit - expected.ready.count, 0)
        if !(wanted...(wanted + 1)).contains(after.owed) {
          Issue.record("\(sequence): upstream owes \(after.owed), downstream wants \(wanted)")
        }
      }
      if expected.isOver {
        let rest = after.feed(.callReturns) + after.feed(.foreground) + after.feed(.finish)
        if !rest.isEmpty { Issue.record("\(sequence), after the end: \(rest)") }
      }
      guard sequence.count < length, !expected.isOver else { continue }
      check(sequence, after, expected, length, &count)
    }
  }

  @Test(
    "Every sequence up to length 6 does what the rules say",
    arguments: [DutyCycle.Delivery.last, .all],
    [1, 2]
  )
  func everySequence(_ delivery: DutyCycle.Delivery, _ burst: Int) {
    let cycle = DutyCycle(burst: burst, delivering: delivery, rest: .seconds(1))
    // In the background, once without and once with a subscription of upstream.
    for prefix in [[], [DutyCycleOracle.Input.connect, .background]] {
      var driver = Driver(cycle, credit: 2)
      var oracle = DutyCycleOracle(burst: burst, deliversAll: delivery == .all, credit: 2)
      for input in prefix { expectNoDifference(driver.feed(input), oracle.feed(input)) }
      var count = 0
      check(prefix, driver, oracle, 6 + (prefix.isEmpty ? 0 : 1), &count)
      #expect(count > 10_000)
    }
  }
}

extension DutyCycleMachineTests {
  @Test("Before it has joined, it does nothing; cancelled before, it never joins")
  func beforeJoining() {
    var machine = DutyCycleMachine(DutyCycle(burst: 1, rest: .seconds(1)))
    let (background, foreground) = (
      DeliveredState(phase: .background), DeliveredState(phase: .inactive)
    )
    for step in [
      machine.downstreamDidSubscribe(), machine.start(), machine.receiveState(background),
      machine.receiveState(foreground),
    ] {
      #expect(step.isEmpty)
    }
    var cancelled = machine
    #expect(cancelled.cancel().isEmpty)
    #expect(cancelled.join(at: foreground).isEmpty)
    guard case .subscribe = machine.join(at: foreground).upstream else {
      Issue.record("It does not subscribe.")
      return
    }
    // It joins once.
    #expect(machine.join(at: foreground).isEmpty)
  }
}

extension DeliveredState {
  fileprivate init(phase: LifecyclePhase) {
    self.init(
      phase: phase,
      sequenceNumber: 1,
      instant: LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    )
  }
}

extension OperatorStep {
  fileprivate var isEmpty: Bool { upstream == nil && call == nil && dropped.isEmpty }
}
