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

  package mutating func start() -> OperatorStep { OperatorStep() }

  package mutating func join(at delivered: DeliveredState) -> OperatorStep {
    receiveState(delivered)
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

/// The actions that a machine leaves to its caller, in the order of the fields.
package struct OperatorStep: Sendable {
  package enum Upstream: Sendable {
    /// Subscribe, under a number.
    case subscribe(Int)
    case cancel
    /// Cancel, then subscribe under a number.
    case replace(Int)
    /// Release the subscription, which has completed.
    case release
    /// Keep the subscription. Start under a number, in place of an earlier timer, one that
    /// completes when it fires; nil for no timer.
    ///
    /// A machine that uses it has `resubscribes`, and its operator a `makeSubscribing` that knows
    /// the numbers of timers, as the duty cycle.
    case time(Int?)
  }

  /// A Boolean value that indicates whether to stop listening to the bus.
  package var leavesBus: Bool
  package var upstream: Upstream?
  /// The demand to request from upstream.
  package var demand: Subscribers.Demand
  /// The positions of the waiting values that are released without being delivered.
  package var dropped: Range<Int>
  package var call: DownstreamState.Call?

  package init(
    leavesBus: Bool = false,
    upstream: Upstream? = nil,
    demand: Subscribers.Demand = .none,
    dropped: Range<Int> = 0..<0,
    call: DownstreamState.Call? = nil
  ) {
    self.leavesBus = leavesBus
    self.upstream = upstream
    self.demand = demand
    self.dropped = dropped
    self.call = call
  }
}

/// The upstream side of an operator: the current subscription, and the number of values it owes.
package struct UpstreamState: Sendable {
  private enum State { case closed, awaitingSubscription, subscribed }

  private var state = State.closed
  /// The number of the latest subscription.
  ///
  /// Values and completions of earlier subscriptions are ignored.
  package private(set) var number = 0
  /// The demand of downstream that upstream has not met.
  package private(set) var owed = Subscribers.Demand.none

  /// A Boolean value that indicates whether the latest subscription has arrived and has not ended.
  package var isConnected: Bool { state == .subscribed }

  package init() {}

  /// Begins to subscribe. Returns the number of the subscription.
  package mutating func open() -> Int {
    precondition(state == .closed, "An operator has one upstream subscription at a time.")
    number += 1
    state = .awaitingSubscription
    return number
  }

  /// Accepts the subscription with a number. Returns the demand to request from it; nil if it
  /// arrives too late.
  package mutating func connect(_ number: Int) -> Subscribers.Demand? {
    guard number == self.number, state == .awaitingSubscription else { return nil }
    state = .subscribed
    return owed
  }

  /// Adds to the demand. Returns the demand to request from the subscription now.
  package mutating func request(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard owed < .unlimited else { return .none }
    owed += demand
    return state == .subscribed ? demand : .none
  }

  /// Accepts a value of the subscription with a number.
  ///
  /// - Returns: False if that subscription has ended or has been replaced.
  package mutating func receiveValue(from number: Int) -> Bool {
    guard number == self.number, state == .subscribed else { return false }
    if owed > .none { owed -= 1 }
    return true
  }

  /// Accepts the completion of the subscription with a number.
  ///
  /// - Returns: False if that subscription has ended or has been replaced.
  package mutating func complete(_ number: Int) -> Bool {
    number == self.number && close()
  }

  /// Ends the subscription.
  ///
  /// - Returns: False if there was none.
  package mutating func close() -> Bool {
    defer { state = .closed }
    return state != .closed
  }
}

/// The downstream side of an operator: the number of waiting values, and the call under way.
///
/// Downstream is called once at a time, whichever threads have values for it.
package struct DownstreamState: Sendable {
  /// A call of downstream.
  ///
  /// The thread that receives a call makes it, then requests the next.
  package enum Call: Hashable, Sendable {
    /// A call with the first of the waiting values.
    case value
    /// The last call.
    case completion(Completion)
  }

  package enum Completion: Hashable, Sendable {
    case finished
    /// Upstream's failure.
    case failure
  }

  package private(set) var waitingCount = 0
  /// The completion, which follows the waiting values.
  private var completion: Completion?
  // The first call gives downstream its subscription.
  package private(set) var isCalling = true
  /// A Boolean value that indicates whether downstream has been sent its completion, or has
  /// cancelled.
  package private(set) var isFinished = false

  package init() {}

  package mutating func append() { waitingCount += 1 }

  /// Removes the waiting values at the positions. Returns the positions.
  package mutating func remove(_ positions: Range<Int>) -> Range<Int> {
    waitingCount -= positions.count
    return positions
  }

  package mutating func removeAll() -> Range<Int> {
    remove(0..<waitingCount)
  }

  /// Lets the completion follow the waiting values, unless there is one already.
  package mutating func complete(_ completion: Completion) {
    if self.completion == nil { self.completion = completion }
  }

  /// Returns the first call to make; nil while another thread makes one, because that thread
  /// requests the next.
  package mutating func firstCall(isOpen: Bool = true) -> Call? {
    isCalling ? nil : nextCall(isOpen: isOpen)
  }

  /// Returns the next call to make, after one has returned.
  ///
  /// - Parameter isOpen: Whether values may be delivered now.
  package mutating func nextCall(isOpen: Bool = true) -> Call? {
    isCalling = false
    guard !isFinished else { return nil }
    if isOpen, waitingCount > 0 {
      waitingCount -= 1
      isCalling = true
      return .value
    }
    guard waitingCount == 0, let completion else { return nil }
    isFinished = true
    return .completion(completion)
  }

  /// A Boolean value that indicates whether no more values are accepted.
  package var isCompleting: Bool { isFinished || completion != nil }

  /// Ends all calls. Returns the positions of the values that were waiting.
  package mutating func cancel() -> Range<Int> {
    isFinished = true
    return removeAll()
  }
}
