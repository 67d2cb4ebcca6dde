import LifecycleCombine

/// A state machine that decides when to subscribe to upstream and when to cancel, and which of its
/// values count.
struct WhilePhaseMachine: OperatorMachine {
  static var resubscribes: Bool { true }

  var upstream = UpstreamState()
  var downstream = DownstreamState()
  private let condition: LifecyclePhase.Condition
  private var isMet = false

  init(_ condition: LifecyclePhase.Condition) {
    self.condition = condition
  }

  /// Returns an empty step, because the operator first subscribes in its turn of joining the bus.
  mutating func start() -> OperatorStep { OperatorStep() }

  mutating func join(at delivered: DeliveredState) -> OperatorStep { receiveState(delivered) }

  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    let wasMet = isMet
    isMet = condition.contains(delivered.phase)
    guard isMet != wasMet, !downstream.isCompleting else { return OperatorStep() }
    return isMet ? OperatorStep(upstream: .subscribe(upstream.open())) : unsubscribe()
  }

  /// Cancels upstream. The next subscription owes the values that were not delivered.
  private mutating func unsubscribe() -> OperatorStep {
    var step = OperatorStep(
      upstream: upstream.close() ? .cancel : nil,
      dropped: downstream.removeAll()
    )
    step.demand = upstream.request(.max(step.dropped.count))
    return step
  }

  mutating func complete(
    _ completion: DownstreamState.Completion,
    from number: Int
  ) -> OperatorStep {
    guard upstream.complete(number) else { return OperatorStep() }
    guard completion == .failure else { return OperatorStep(upstream: .release) }
    downstream.complete(completion)
    return OperatorStep(leavesBus: true, upstream: .release, call: downstream.firstCall())
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }
}
