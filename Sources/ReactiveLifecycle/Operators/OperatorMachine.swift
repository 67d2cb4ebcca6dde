import OpenCombineShim

/// What an operator decides. It calls nobody: each method returns what its caller has to do, or to
/// release, after the lock is given back.
protocol OperatorMachine: Sendable {
  associatedtype Element: Sendable
  associatedtype Failure: Error

  /// Whether upstream may be subscribed to more than once.
  static var resubscribes: Bool { get }
  /// Whether the state of the bus at the moment of a value counts.
  static var readsStateOfBus: Bool { get }

  var inlet: Inlet { get set }
  var outlet: Outlet<Element, Failure> { get set }
  /// Whether what is waiting may be handed out now.
  var handsOut: Bool { get }

  /// Downstream has its subscription, and the bus is being listened to.
  mutating func start() -> OperatorStep<Element, Failure>
  /// The listener's turn of joining.
  mutating func join(at delivered: DeliveredState) -> OperatorStep<Element, Failure>
  /// The listener's turn of an event, after which this is the state of the bus.
  mutating func hear(_ delivered: DeliveredState) -> OperatorStep<Element, Failure>
  mutating func busDidEnd() -> OperatorStep<Element, Failure>
  /// Upstream has sent a value.
  ///
  /// - Parameters:
  ///   - number: The number of its subscription.
  ///   - delivered: The state of the bus, if this machine reads it.
  mutating func receive(_ element: Element, from number: Int, at delivered: DeliveredState?)
    -> OperatorStep<Element, Failure>
  /// Upstream has completed.
  mutating func receive(_ completion: Subscribers.Completion<Failure>, from number: Int)
    -> OperatorStep<Element, Failure>
}

/// What a machine leaves to do, in the order of the fields.
struct OperatorStep<Element: Sendable, Failure: Error>: Sendable {
  enum Upstream: Sendable {
    /// Subscribe, under that number.
    case subscribe(Int)
    case cancel
    /// It has completed: let go of it.
    case release
  }

  /// Whether the bus need not be listened to any more.
  var leavesBus = false
  var upstream: Upstream?
  /// What to ask of upstream.
  var demand = Subscribers.Demand.none
  var call: Outlet<Element, Failure>.Call?
  /// What is not handed out, to be released.
  var dropped: [Element] = []
  var droppedCompletion: Subscribers.Completion<Failure>?
}

// What all operators do alike.
extension OperatorMachine {
  static var resubscribes: Bool { false }
  static var readsStateOfBus: Bool { false }

  var handsOut: Bool { true }

  mutating func start() -> OperatorStep<Element, Failure> {
    outlet.isOver ? OperatorStep() : OperatorStep(upstream: .subscribe(inlet.open()))
  }

  mutating func join(at delivered: DeliveredState) -> OperatorStep<Element, Failure> {
    OperatorStep()
  }

  /// Downstream has been given its subscription; it may have cancelled it.
  mutating func downstreamDidSubscribe() -> OperatorStep<Element, Failure> {
    OperatorStep(call: outlet.next(isOpen: handsOut))
  }

  /// Upstream has sent a subscription. Nil if it comes too late, and is to be cancelled.
  mutating func connect(_ number: Int) -> OperatorStep<Element, Failure>? {
    inlet.connect(number).map { OperatorStep(demand: $0) }
  }

  mutating func request(_ demand: Subscribers.Demand) -> OperatorStep<Element, Failure> {
    OperatorStep(demand: inlet.ask(demand))
  }

  /// A call of downstream has returned, which asked for that much more.
  mutating func callDidReturn(_ demand: Subscribers.Demand) -> OperatorStep<Element, Failure> {
    OperatorStep(demand: inlet.ask(demand), call: outlet.next(isOpen: handsOut))
  }

  mutating func cancel() -> OperatorStep<Element, Failure> {
    let (dropped, completion) = outlet.shut()
    return OperatorStep(
      leavesBus: true,
      upstream: inlet.close() ? .cancel : nil,
      dropped: dropped,
      droppedCompletion: completion
    )
  }

  /// Cancels upstream and finishes.
  ///
  /// - Parameter keepsWaiting: Whether what is waiting is handed out first.
  mutating func finish(keepsWaiting: Bool) -> OperatorStep<Element, Failure> {
    let dropped = keepsWaiting ? [] : outlet.removeAll()
    outlet.complete(.finished)
    return OperatorStep(
      leavesBus: true,
      upstream: inlet.close() ? .cancel : nil,
      call: outlet.begin(isOpen: handsOut),
      dropped: dropped
    )
  }
}
