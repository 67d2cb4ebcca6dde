import OpenCombineShim

/// Decides when to subscribe upstream and when to cancel, and which of its values count.
struct SubscribeWhileMachine<Element: Sendable, Failure: Error>: OperatorMachine {
  static var resubscribes: Bool { true }

  typealias Step = OperatorStep<Element, Failure>

  var inlet = Inlet()
  var outlet = Outlet<Element, Failure>()
  private let condition: PhaseCondition
  private var isInside = false

  init(_ condition: PhaseCondition) {
    self.condition = condition
  }

  /// The first subscription comes with the listener's turn of joining.
  mutating func start() -> Step { Step() }

  mutating func join(at delivered: DeliveredState) -> Step { hear(delivered) }

  mutating func hear(_ delivered: DeliveredState) -> Step {
    let wasInside = isInside
    isInside = condition.contains(delivered.phase)
    guard isInside != wasInside, !outlet.isEnding else { return Step() }
    return isInside ? Step(upstream: .subscribe(inlet.open())) : leave()
  }

  /// What was not handed out is owed by the next subscription.
  private mutating func leave() -> Step {
    var step = Step(upstream: inlet.close() ? .cancel : nil, dropped: outlet.removeAll())
    step.demand = inlet.ask(.max(step.dropped.count))
    return step
  }

  mutating func receive(
    _ element: Element,
    from number: Int,
    at delivered: DeliveredState?
  ) -> Step {
    guard inlet.take(from: number) else { return Step(dropped: [element]) }
    outlet.append(element)
    return Step(call: outlet.begin())
  }

  mutating func receive(_ completion: Subscribers.Completion<Failure>, from number: Int) -> Step {
    guard inlet.complete(number) else { return Step() }
    guard case .failure = completion else { return Step(upstream: .release) }
    outlet.complete(completion)
    return Step(leavesBus: true, upstream: .release, call: outlet.begin())
  }

  mutating func busDidEnd() -> Step { finish(keepsWaiting: false) }
}
