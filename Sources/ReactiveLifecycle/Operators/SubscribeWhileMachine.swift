import LifecycleCombine

/// Decides when to subscribe upstream and when to cancel, and which of its values count.
struct SubscribeWhileMachine: OperatorMachine {
  static var resubscribes: Bool { true }

  var inlet = Inlet()
  var outlet = Outlet()
  private let condition: PhaseCondition
  private var isInside = false

  init(_ condition: PhaseCondition) {
    self.condition = condition
  }

  /// The first subscription comes with the listener's turn of joining.
  mutating func start() -> OperatorStep { OperatorStep() }

  mutating func join(at delivered: DeliveredState) -> OperatorStep { hear(delivered) }

  mutating func hear(_ delivered: DeliveredState) -> OperatorStep {
    let wasInside = isInside
    isInside = condition.contains(delivered.phase)
    guard isInside != wasInside, !outlet.isEnding else { return OperatorStep() }
    return isInside ? OperatorStep(upstream: .subscribe(inlet.open())) : leave()
  }

  /// What was not handed out is owed by the next subscription.
  private mutating func leave() -> OperatorStep {
    var step = OperatorStep(upstream: inlet.close() ? .cancel : nil, dropped: outlet.removeAll())
    step.demand = inlet.ask(.max(step.dropped.count))
    return step
  }

  mutating func receive(_ ending: Outlet.Ending, from number: Int) -> OperatorStep {
    guard inlet.complete(number) else { return OperatorStep() }
    guard ending == .failure else { return OperatorStep(upstream: .release) }
    outlet.complete(ending)
    return OperatorStep(leavesBus: true, upstream: .release, call: outlet.begin())
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: false) }
}
