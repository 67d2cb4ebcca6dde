import DequeModule
import LifecycleCombine

/// What an operator has under its lock: the machine, and all that it refers to.
struct OperatorState: Sendable {
  /// Subscribes upstream, under a number.
  typealias Upstream = Carried<(OperatorConduit, Int) -> Void>

  /// What is to be done, or to be released, after the lock is given back; in this order.
  struct Orders: Sendable {
    var row: ListenerRow?
    var cancelled: Carried<any Subscription>?
    var subscribed: (Upstream, Int)?
    var request: Request?
    var call: Call?

    var dropped: [Carried<Any>] = []
    var releasedSubscription: Carried<any Subscription>?
    var releasedUpstream: Upstream?
    var releasedDownstream: OperatorDownstream?
    var releasedFailure: (any Error)?
  }

  struct Request: Sendable {
    let subscription: Carried<any Subscription>
    let number: Int
    let demand: Subscribers.Demand
  }

  struct Call: Sendable {
    enum Content: Sendable {
      /// The value that is being received, as nothing waits before it.
      case incoming
      case waiting(Carried<Any>)
      /// The end. Nil if it is no failure.
      case completion((any Error)?)
    }

    let downstream: OperatorDownstream
    let content: Content
  }

  var machine: any OperatorMachine
  private var upstream: Upstream?
  private var downstream: OperatorDownstream?
  private var subscription: Carried<any Subscription>?
  private var row: ListenerRow?
  private var waiting: Deque<Carried<Any>> = []
  private var failure: (any Error)?

  init(machine: any OperatorMachine, upstream: Upstream, downstream: OperatorDownstream) {
    self.machine = machine
    self.upstream = upstream
    self.downstream = downstream
  }

  /// Keeps the row that listens to the bus, unless nothing needs to be heard any more.
  mutating func takeIn(_ row: ListenerRow) -> Bool {
    guard !machine.outlet.isOver else { return false }
    self.row = row
    return true
  }

  /// Keeps a subscription that upstream has sent; nil if it is to be cancelled.
  mutating func connect(_ subscription: Carried<any Subscription>, _ number: Int) -> Orders? {
    guard let step = machine.connect(number) else { return nil }
    self.subscription = subscription
    return orders(for: step)
  }

  /// Takes in a value, which is kept only if it has to wait.
  mutating func receive(
    from number: Int,
    at delivered: DeliveredState?,
    keep value: () -> Carried<Any>
  ) -> Orders {
    guard let step = machine.receiveValue(from: number, at: delivered) else { return Orders() }
    let isAlone = waiting.isEmpty && (step.call == .value || !step.dropped.isEmpty)
    if !isAlone { waiting.append(value()) }
    return orders(for: step, ofIncoming: isAlone)
  }

  mutating func receive(_ failure: (any Error)?, from number: Int) -> Orders {
    let step = machine.receive(failure == nil ? .finished : .failure, from: number)
    // One of a subscription that no longer counts is let go of.
    if case .release = step.upstream { self.failure = failure }
    return orders(for: step)
  }

  /// - Parameter isOfIncoming: Whether the step's value, handed out or dropped, is one that does not
  ///   wait.
  mutating func orders(for step: OperatorStep, ofIncoming isOfIncoming: Bool = false) -> Orders {
    var orders = Orders()
    if step.leavesBus || machine.outlet.isOver { orders.row = row.take() }
    switch step.upstream {
    case .subscribe(let number):
      let resubscribes = type(of: machine).resubscribes
      orders.subscribed = (resubscribes ? upstream : upstream.take()).map { ($0, number) }
    case .cancel: orders.cancelled = subscription.take()
    case .replace(let number):
      orders.cancelled = subscription.take()
      orders.subscribed = upstream.map { ($0, number) }
    case .release: orders.releasedSubscription = subscription.take()
    case nil: break
    }
    if step.demand > .none, let subscription {
      orders.request = Request(
        subscription: subscription,
        number: machine.inlet.number,
        demand: step.demand
      )
    }
    if !isOfIncoming, !step.dropped.isEmpty {
      orders.dropped = Array(waiting[step.dropped])
      waiting.removeSubrange(step.dropped)
    }
    if let call = step.call, let downstream {
      let content = isOfIncoming ? .incoming : content(of: call)
      orders.call = Call(downstream: downstream, content: content)
    }
    if machine.outlet.isOver {
      orders.releasedUpstream = upstream.take()
      orders.releasedDownstream = downstream.take()
      orders.releasedFailure = failure.take()
    }
    return orders
  }

  private mutating func content(of call: Outlet.Call) -> Call.Content {
    switch call {
    case .value: .waiting(waiting.removeFirst())
    case .completion(.finished): .completion(nil)
    case .completion(.failure): .completion(failure)
    }
  }
}
