import OpenCombineShim

/// What an operator has under its lock: the machine, and all that it refers to.
struct OperatorState<
  Upstream: Publisher,
  Downstream: Subscriber<Upstream.Output, Upstream.Failure>,
  Machine: OperatorMachine
>: Sendable
where Machine.Element == Carried<Upstream.Output>, Machine.Failure == Upstream.Failure {
  typealias Step = OperatorStep<Machine.Element, Machine.Failure>

  /// What is to be done, or to be released, after the lock is given back; in this order.
  struct Orders: Sendable {
    var row: ListenerRow?
    var cancelled: Carried<any Subscription>?
    var subscribed: (Carried<Upstream>, Int)?
    var request: Request?
    var call: (Carried<Downstream>, Outlet<Machine.Element, Machine.Failure>.Call)?

    var dropped: [Machine.Element] = []
    var droppedCompletion: Subscribers.Completion<Machine.Failure>?
    var releasedSubscription: Carried<any Subscription>?
    var releasedUpstream: Carried<Upstream>?
    var releasedDownstream: Carried<Downstream>?
  }

  struct Request: Sendable {
    let subscription: Carried<any Subscription>
    let number: Int
    let demand: Subscribers.Demand
  }

  var machine: Machine
  private var upstream: Carried<Upstream>?
  private var downstream: Carried<Downstream>?
  private var subscription: Carried<any Subscription>?
  private var row: ListenerRow?

  init(machine: Machine, upstream: Carried<Upstream>, downstream: Carried<Downstream>) {
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

  mutating func orders(for step: Step) -> Orders {
    var orders = Orders(dropped: step.dropped, droppedCompletion: step.droppedCompletion)
    if step.leavesBus || machine.outlet.isOver { orders.row = row.take() }
    switch step.upstream {
    case .subscribe(let number):
      orders.subscribed = (Machine.resubscribes ? upstream : upstream.take()).map { ($0, number) }
    case .cancel: orders.cancelled = subscription.take()
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
    if let call = step.call { orders.call = downstream.map { ($0, call) } }
    if machine.outlet.isOver {
      orders.releasedUpstream = upstream.take()
      orders.releasedDownstream = downstream.take()
    }
    return orders
  }
}
