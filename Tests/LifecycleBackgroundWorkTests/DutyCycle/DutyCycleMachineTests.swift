import CustomDump
import LifecycleCombine
import Testing

@testable import LifecycleBackgroundWork
@testable import LifecycleCore

/// What a duty cycle does, as rules about lists of values, with calls that last.
struct DutyCycleOracle {
  enum Input: CaseIterable {
    case background, foreground
    /// From the current upstream, which was asked for it.
    case value
    /// From an earlier subscription.
    case staleValue
    /// The subscription that was made last is there: upstream's, or the rest's.
    case connect
    /// Upstream finishes, or the rest is over.
    case finish
    /// The timer that was set last fires, or fires once more.
    case timer
    case request, callReturns, cancel, busEnd
  }

  enum Link { case none, awaited, upstream, restAwaited, rest }

  let burst: Int
  let deliversAll: Bool
  private(set) var link = Link.awaited
  private(set) var isOver = false
  private(set) var isCalling = false
  private(set) var credit: Int
  /// The values that may be handed out.
  private(set) var ready: [Int] = []
  private var held: Int?
  private var isInBackground = false
  private var count = 0
  /// A burst has begun, and its time runs.
  var isTimed: Bool { link == .upstream && isInBackground && count > 0 }
  private(set) var isClosing = false
  private var skipsRest = false
  private var isCompleting = false
  private var number = 0

  init(burst: Int, deliversAll: Bool, credit: Int) {
    self.burst = burst
    self.deliversAll = deliversAll
    self.credit = credit
  }

  mutating func feed(_ input: Input) -> [String] {
    guard !isOver else { return [] }
    switch input {
    case .background:
      if !isInBackground, !isCompleting { count = 0 }
      isInBackground = true
    case .foreground:
      guard isInBackground else { return [] }
      isInBackground = false
      switch link {
      case .none: return []
      case .awaited, .upstream:
        if isClosing { isClosing = false } else { release() }
        return pump()
      case .restAwaited: skipsRest = true
      case .rest: return resume()
      }
    case .value:
      guard link == .upstream else { return [] }
      number += 1
      guard !isClosing else { return [] }
      guard isInBackground else {
        ready.append(number)
        return pump()
      }
      count += 1
      held = nil
      if deliversAll || count == burst { ready.append(number) } else { held = number }
      isClosing = count == burst
      return pump() + restIfClosed()
    case .staleValue: break
    case .connect:
      if link == .awaited { link = .upstream }
      guard link == .restAwaited else { return [] }
      link = .rest
      return skipsRest ? resume() : []
    case .finish:
      if link == .rest || link == .restAwaited { return resume() }
      guard link != .none else { return [] }
      return end([])
    case .timer:
      guard isTimed, !isClosing else { return [] }
      release()
      isClosing = true
      return pump() + restIfClosed()
    case .request:
      credit += 1
      return pump()
    case .callReturns:
      guard isCalling else { return [] }
      isCalling = false
      return pump() + restIfClosed()
    case .cancel:
      isOver = true
      return link == .none ? [] : ["stop"]
    case .busEnd:
      guard !isCompleting else { return [] }
      return end(["stop"])
    }
    return []
  }

  private mutating func end(_ first: [String]) -> [String] {
    link = .none
    isClosing = false
    release()
    isCompleting = true
    return first + pump()
  }

  private mutating func release() {
    if let held { ready.append(held) }
    held = nil
  }

  private mutating func pump() -> [String] {
    guard !isCalling else { return [] }
    if credit > 0, !ready.isEmpty {
      credit -= 1
      isCalling = true
      return ["\(ready.removeFirst())"]
    }
    guard ready.isEmpty, isCompleting else { return [] }
    isOver = true
    return ["finished"]
  }

  private mutating func restIfClosed() -> [String] {
    guard isClosing, !isCalling, !isOver else { return [] }
    isClosing = false
    skipsRest = false
    link = .restAwaited
    return ["stop", "rest"]
  }

  private mutating func resume() -> [String] {
    count = 0
    link = .awaited
    return ["stop", "subscribe"]
  }
}

@Suite("Duty cycle: the machine")
struct DutyCycleMachineTests {
  /// A machine, with what its shell would know.
  struct Driver {
    var machine: DutyCycleMachine
    /// The subscription that is there, or is being made.
    var current: Int?
    var isConnected = false
    /// The number of the timer that was set last, and whether it runs.
    var timer: Int?
    var isTimed = false
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
      case .timer:
        guard let timer else { return [] }
        isTimed = false
        return perform(machine.complete(.finished, from: timer))
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
      if step.upstream != nil { isTimed = false }
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
      case .time(let number)?:
        timer = number ?? timer
        isTimed = number != nil
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
      // The timer runs for a burst, and for nothing else.
      if !expected.isOver, !expected.isClosing, after.isTimed != expected.isTimed, input != .timer {
        Issue.record("\(sequence): timed \(after.isTimed)")
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
    "Every sequence of six inputs agrees with the rules",
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

  @Test("A subscription that is cancelled before it joins the bus never subscribes upstream")
  func cancelledBeforeJoining() {
    var machine = DutyCycleMachine(DutyCycle(burst: 1, rest: .seconds(1)))
    _ = machine.downstreamDidSubscribe()
    _ = machine.start()
    for step in [machine.cancel(), machine.join(at: DeliveredState(phase: .inactive))] {
      #expect(step.isEmpty)
    }
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
