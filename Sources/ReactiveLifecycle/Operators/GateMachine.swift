import OpenCombineShim

/// Decides which values pass a gate, and what becomes of the others.
struct GateMachine<Element: Sendable, Failure: Error>: OperatorMachine {
  static var readsStateOfBus: Bool { true }

  typealias Step = OperatorStep<Element, Failure>

  var inlet = Inlet()
  var outlet = Outlet<Element, Failure>()
  private let condition: PhaseCondition
  private let holding: LifecycleGateHolding
  /// The newest state of the bus that is known, from the listener or from looking.
  private var known = DeliveredState()
  /// Whether what was held waits for the listener's turn: the gate has been seen open before that.
  private var awaitsTurn = false

  init(_ condition: PhaseCondition, _ holding: LifecycleGateHolding) {
    self.condition = condition
    self.holding = holding
  }

  private var isOpen: Bool { condition.contains(known.phase) }

  var handsOut: Bool { isOpen && !awaitsTurn }

  mutating func join(at delivered: DeliveredState) -> Step { hear(delivered) }

  mutating func hear(_ delivered: DeliveredState) -> Step {
    look(at: delivered)
    awaitsTurn = false
    return settle()
  }

  mutating func receive(
    _ element: Element,
    from number: Int,
    at delivered: DeliveredState?
  ) -> Step {
    guard inlet.take(from: number) else { return Step(dropped: [element]) }
    if let delivered { look(at: delivered) }
    outlet.append(element)
    return settle()
  }

  mutating func receive(_ completion: Subscribers.Completion<Failure>, from number: Int) -> Step {
    guard inlet.complete(number) else { return Step() }
    outlet.complete(completion)
    return Step(upstream: .release, call: outlet.begin(isOpen: handsOut))
  }

  mutating func busDidEnd() -> Step { finish(keepsWaiting: false) }

  private mutating func look(at delivered: DeliveredState) {
    guard delivered.sequenceNumber >= known.sequenceNumber else { return }
    let wasOpen = isOpen
    known = delivered
    if wasOpen != isOpen { awaitsTurn = isOpen && !outlet.waiting.isEmpty }
  }

  /// Drops what a closed gate does not hold, and asks for as much again; hands out what may pass.
  private mutating func settle() -> Step {
    var step = Step()
    if !isOpen {
      step.dropped = outlet.remove(holding.excess(of: outlet.waiting.count))
      step.demand = inlet.ask(.max(step.dropped.count))
    }
    step.call = outlet.begin(isOpen: handsOut)
    return step
  }
}
