import LifecycleCombine

/// What an operator decides. It knows how many values there are, not which, and calls nobody: each
/// method returns what its caller has to do, or to release, after the lock is given back.
///
/// Machines are not generic: what is looked up of generic types costs more than all that they decide.
protocol OperatorMachine: Sendable {
  /// Whether upstream may be subscribed to more than once.
  static var resubscribes: Bool { get }
  /// Whether the state of the bus at the moment of a value counts.
  static var readsStateOfBus: Bool { get }

  var inlet: Inlet { get set }
  var outlet: Outlet { get set }
  /// Whether what is waiting may be handed out now.
  var handsOut: Bool { get }

  /// Downstream has its subscription, and the bus is being listened to.
  mutating func start() -> OperatorStep
  /// The listener's turn of joining.
  mutating func join(at delivered: DeliveredState) -> OperatorStep
  /// The listener's turn of an event, after which this is the state of the bus.
  mutating func hear(_ delivered: DeliveredState) -> OperatorStep
  mutating func busDidEnd() -> OperatorStep
  /// Upstream has sent a value. Nil if it does not count; else it waits behind the others, or is
  /// handed out, or dropped, as the step says.
  ///
  /// - Parameters:
  ///   - number: The number of its subscription.
  ///   - delivered: The state of the bus, if this machine reads it.
  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep?
  /// Upstream has completed.
  mutating func receive(_ ending: Outlet.Ending, from number: Int) -> OperatorStep
  /// Upstream has sent a subscription. Nil if it comes too late, and is to be cancelled.
  mutating func connect(_ number: Int) -> OperatorStep?
  mutating func request(_ demand: Subscribers.Demand) -> OperatorStep
  /// A call of downstream has returned, which asked for that much more.
  mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep
}

/// What a machine leaves to do, in the order of the fields.
struct OperatorStep: Sendable {
  enum Upstream: Sendable {
    /// Subscribe, under that number.
    case subscribe(Int)
    case cancel
    /// Cancel, then subscribe under that number.
    case replace(Int)
    /// It has completed: let go of it.
    case release
  }

  /// Whether the bus need not be listened to any more.
  var leavesBus = false
  var upstream: Upstream?
  /// What to ask of upstream.
  var demand = Subscribers.Demand.none
  /// Which of those that waited before are not handed out, and to be released.
  var dropped = 0..<0
  var call: Outlet.Call?
}

// What all operators do alike.
extension OperatorMachine {
  static var resubscribes: Bool { false }
  static var readsStateOfBus: Bool { false }

  var handsOut: Bool { true }

  mutating func start() -> OperatorStep {
    outlet.isOver ? OperatorStep() : OperatorStep(upstream: .subscribe(inlet.open()))
  }

  mutating func join(at delivered: DeliveredState) -> OperatorStep {
    OperatorStep()
  }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard inlet.take(from: number) else { return nil }
    outlet.append()
    return OperatorStep(call: outlet.begin(isOpen: handsOut))
  }

  mutating func receive(_ ending: Outlet.Ending, from number: Int) -> OperatorStep {
    guard inlet.complete(number) else { return OperatorStep() }
    outlet.complete(ending)
    return OperatorStep(upstream: .release, call: outlet.begin(isOpen: handsOut))
  }

  /// Downstream has been given its subscription; it may have cancelled it.
  mutating func downstreamDidSubscribe() -> OperatorStep {
    OperatorStep(call: outlet.next(isOpen: handsOut))
  }

  mutating func connect(_ number: Int) -> OperatorStep? {
    inlet.connect(number).map { OperatorStep(demand: $0) }
  }

  mutating func request(_ demand: Subscribers.Demand) -> OperatorStep {
    OperatorStep(demand: inlet.ask(demand))
  }

  mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep {
    OperatorStep(demand: inlet.ask(demand), call: outlet.next(isOpen: handsOut))
  }

  mutating func cancel() -> OperatorStep {
    OperatorStep(
      leavesBus: true,
      upstream: inlet.close() ? .cancel : nil,
      dropped: outlet.shut()
    )
  }

  /// Cancels upstream and finishes.
  ///
  /// - Parameter keepsWaiting: Whether what is waiting is handed out first.
  mutating func finish(keepsWaiting: Bool) -> OperatorStep {
    let dropped = keepsWaiting ? 0..<0 : outlet.removeAll()
    outlet.complete(.finished)
    return OperatorStep(
      leavesBus: true,
      upstream: inlet.close() ? .cancel : nil,
      dropped: dropped,
      call: outlet.begin(isOpen: handsOut)
    )
  }
}
