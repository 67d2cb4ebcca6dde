import LifecycleCombine

/// A state machine that decides which values pass a gate, and which are kept or dropped.
struct GateMachine: OperatorMachine {
  static var readsStateOfBus: Bool { true }

  var upstream = UpstreamState()
  var downstream = DownstreamState()
  private let condition: LifecyclePhase.Condition
  private let buffering: Publishers.LifecycleGateBuffering
  /// The newest known state of the bus, from the gate's own turn or read with a value.
  private var known = DeliveredState()
  /// A Boolean value that indicates whether kept values wait for the gate's turn, because a value
  /// has shown earlier that the gate is open.
  private var awaitsTurn = false

  init(_ condition: LifecyclePhase.Condition, buffering: Publishers.LifecycleGateBuffering) {
    self.condition = condition
    self.buffering = buffering
  }

  private var isOpen: Bool { condition.contains(known.phase) }

  var canDeliver: Bool { isOpen && !awaitsTurn }

  mutating func join(at delivered: DeliveredState) -> OperatorStep { receiveState(delivered) }

  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    update(to: delivered)
    awaitsTurn = false
    return flush()
  }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard upstream.receiveValue(from: number) else { return nil }
    if let delivered { update(to: delivered) }
    downstream.append()
    return flush()
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }

  private mutating func update(to delivered: DeliveredState) {
    guard delivered.sequenceNumber >= known.sequenceNumber else { return }
    let wasOpen = isOpen
    known = delivered
    if wasOpen != isOpen { awaitsTurn = isOpen && downstream.waitingCount > 0 }
  }

  /// Drops the values that a closed gate does not keep, and requests as many again; delivers values
  /// that may pass.
  private mutating func flush() -> OperatorStep {
    var step = OperatorStep()
    if !isOpen {
      step.dropped = downstream.remove(buffering.excess(of: downstream.waitingCount))
      step.demand = upstream.request(.max(step.dropped.count))
    }
    step.call = downstream.firstCall(isOpen: canDeliver)
    return step
  }
}
