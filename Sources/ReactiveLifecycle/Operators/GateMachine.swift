import LifecycleCombine

/// Decides which values pass a gate, and what becomes of the others.
struct GateMachine: OperatorMachine {
  static var readsStateOfBus: Bool { true }

  var inlet = Inlet()
  var outlet = Outlet()
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

  mutating func join(at delivered: DeliveredState) -> OperatorStep { hear(delivered) }

  mutating func hear(_ delivered: DeliveredState) -> OperatorStep {
    look(at: delivered)
    awaitsTurn = false
    return settle()
  }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard inlet.take(from: number) else { return nil }
    if let delivered { look(at: delivered) }
    outlet.append()
    return settle()
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }

  private mutating func look(at delivered: DeliveredState) {
    guard delivered.sequenceNumber >= known.sequenceNumber else { return }
    let wasOpen = isOpen
    known = delivered
    if wasOpen != isOpen { awaitsTurn = isOpen && outlet.waitingCount > 0 }
  }

  /// Drops what a closed gate does not hold, and asks for as much again; hands out what may pass.
  private mutating func settle() -> OperatorStep {
    var step = OperatorStep()
    if !isOpen {
      step.dropped = outlet.remove(holding.excess(of: outlet.waitingCount))
      step.demand = inlet.ask(.max(step.dropped.count))
    }
    step.call = outlet.begin(isOpen: handsOut)
    return step
  }
}
