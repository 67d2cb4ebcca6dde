package import LifecycleCombine

/// A state machine that makes the decisions of an operator.
///
/// A machine knows the number of values, not the values, and makes no calls: each method returns
/// what its caller must do, or release, after giving back the lock.
///
/// Machines are not generic: looking up members of generic types would cost more than all
/// decisions.
package protocol OperatorMachine: Sendable {
  /// A Boolean value that indicates whether upstream may be subscribed to more than once.
  static var resubscribes: Bool { get }
  /// A Boolean value that indicates whether the machine uses the state of the bus at the moment of
  /// each value.
  static var readsStateOfBus: Bool { get }

  var upstream: UpstreamState { get set }
  var downstream: DownstreamState { get set }
  /// A Boolean value that indicates whether waiting values may be delivered now.
  var canDeliver: Bool { get }

  /// Starts the operator, once downstream has its subscription and the operator listens to the bus.
  mutating func start() -> OperatorStep
  /// Handles the operator's turn of joining the bus.
  mutating func join(at delivered: DeliveredState) -> OperatorStep
  /// Handles the operator's turn of an event.
  ///
  /// - Parameter delivered: The state of the bus after the event.
  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep
  mutating func busDidEnd() -> OperatorStep
  /// Handles a value from upstream.
  ///
  /// - Parameters:
  ///   - number: The number of the value's subscription.
  ///   - delivered: The state of the bus, if this machine reads it.
  /// - Returns: The step, according to which the value waits behind the others, is delivered, or is
  ///   dropped; nil if the value is ignored.
  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep?
  /// Handles the completion of upstream.
  mutating func complete(
    _ completion: DownstreamState.Completion,
    from number: Int
  ) -> OperatorStep
  /// Handles a subscription from upstream.
  ///
  /// - Returns: The step; nil if the subscription arrives too late and must be cancelled.
  mutating func connect(_ number: Int) -> OperatorStep?
  mutating func request(_ demand: Subscribers.Demand) -> OperatorStep
  /// Handles the return of a call of downstream, which may add demand.
  mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep
}

// The common behavior of all operators.
extension OperatorMachine {
  package static var resubscribes: Bool { false }
  package static var readsStateOfBus: Bool { false }

  package var canDeliver: Bool { true }

  package mutating func start() -> OperatorStep {
    downstream.isFinished ? OperatorStep() : OperatorStep(upstream: .subscribe(upstream.open()))
  }

  package mutating func join(at delivered: DeliveredState) -> OperatorStep {
    OperatorStep()
  }

  package mutating func receiveValue(from number: Int, at delivered: DeliveredState?)
    -> OperatorStep?
  {
    guard upstream.receiveValue(from: number) else { return nil }
    downstream.append()
    return OperatorStep(call: downstream.firstCall(isOpen: canDeliver))
  }

  package mutating func complete(
    _ completion: DownstreamState.Completion,
    from number: Int
  ) -> OperatorStep {
    guard upstream.complete(number) else { return OperatorStep() }
    downstream.complete(completion)
    return OperatorStep(upstream: .release, call: downstream.firstCall(isOpen: canDeliver))
  }

  /// Handles that downstream has received its subscription, which it may have cancelled.
  package mutating func downstreamDidSubscribe() -> OperatorStep {
    OperatorStep(call: downstream.nextCall(isOpen: canDeliver))
  }

  package mutating func connect(_ number: Int) -> OperatorStep? {
    upstream.connect(number).map { OperatorStep(demand: $0) }
  }

  package mutating func request(_ demand: Subscribers.Demand) -> OperatorStep {
    OperatorStep(demand: upstream.request(demand))
  }

  package mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep {
    OperatorStep(
      demand: upstream.request(demand),
      call: downstream.nextCall(isOpen: canDeliver)
    )
  }

  package mutating func cancel() -> OperatorStep {
    OperatorStep(
      leavesBus: true,
      upstream: upstream.close() ? .cancel : nil,
      dropped: downstream.cancel()
    )
  }

  /// Cancels upstream and finishes.
  ///
  /// - Parameter keepsWaiting: Whether waiting values are delivered first.
  package mutating func finish(keepsWaiting: Bool) -> OperatorStep {
    let dropped = keepsWaiting ? 0..<0 : downstream.removeAll()
    downstream.complete(.finished)
    return OperatorStep(
      leavesBus: true,
      upstream: upstream.close() ? .cancel : nil,
      dropped: dropped,
      call: downstream.firstCall(isOpen: canDeliver)
    )
  }
}
