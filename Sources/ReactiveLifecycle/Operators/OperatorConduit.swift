import LifecycleCombine

/// The subscription that an operator gives to its downstream, and what listens to the bus for it: does
/// what the machine says, outside the lock.
///
/// Everything that it refers to is let go of when it is cancelled or has completed.
final class OperatorConduit: Subscription, BusListener {
  private let core: BusCore
  private let readsStateOfBus: Bool
  private let state: Locked<OperatorState>

  private init(_ core: BusCore, _ state: OperatorState) {
    self.core = core
    readsStateOfBus = type(of: state.machine).readsStateOfBus
    self.state = Locked(state)
  }

  /// Gives downstream its subscription, listens to the bus, and then lets the machine begin.
  static func start<Upstream: Publisher, Downstream: Subscriber>(
    _ machine: some OperatorMachine,
    from upstream: Upstream,
    to downstream: Downstream,
    hearing kinds: KindFilter,
    of core: BusCore,
    _ site: CallSite
  ) where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    start(
      machine,
      subscribing: Carried { conduit, number in
        upstream.subscribe(UpstreamLink<Upstream.Output, Upstream.Failure>(conduit, number))
      },
      to: downstream,
      hearing: kinds,
      of: core,
      site
    )
  }

  /// The same.
  ///
  /// - Parameter upstream: Subscribes, with links of downstream's types.
  @inline(__always)
  static func start(
    _ machine: some OperatorMachine,
    subscribing upstream: OperatorState.Upstream,
    to downstream: some Subscriber,
    hearing kinds: KindFilter,
    of core: BusCore,
    _ site: CallSite
  ) {
    let conduit = OperatorConduit(
      core,
      OperatorState(
        machine: machine,
        upstream: upstream,
        downstream: SubscriberDownstream(downstream)
      )
    )
    downstream.receive(subscription: conduit)
    conduit.perform { $0.downstreamDidSubscribe() }
    let row = ListenerRow(core: core, kinds: kinds, site: site, listener: conduit)
    guard conduit.state.withLock({ $0.takeIn(row) }) else { return }
    core.listen(row)
    if !core.hasEnded { conduit.perform { $0.start() } }
  }

  // MARK: The bus

  func join(at delivered: DeliveredState) {
    // All that follows on a bus that has ended is the end.
    guard !core.hasEnded else { return }
    perform { $0.join(at: delivered) }
  }

  func hear(_ event: LifecycleEvent) {
    let delivered = DeliveredState(event)
    perform { $0.hear(delivered) }
  }

  func busDidEnd() {
    perform { $0.busDidEnd() }
  }

  // MARK: Downstream

  /// Whether downstream gets nothing any more.
  var isOver: Bool { state.withLock { $0.machine.outlet.isOver } }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "A subscriber must request at least one value.")
    perform { $0.request(demand) }
  }

  func cancel() {
    perform { $0.cancel() }
  }

  // MARK: Upstream

  func receive(_ subscription: any Subscription, _ number: Int) {
    let carried = Carried(subscription)
    let orders = state.withLock { $0.connect(carried, number) }
    if let orders { carryOut(orders) } else { subscription.cancel() }
  }

  func receive<Value>(_ value: Value, _ number: Int) -> Subscribers.Demand {
    let delivered = readsStateOfBus ? core.delivered : nil
    let carried = Carried(value)
    let orders = state.withLock {
      $0.receive(from: number, at: delivered) { Carried(carried.content) }
    }
    return carryOut(orders, returningDemandOf: number) {
      // The same call of `start` has made the link that this came by, and downstream.
      unsafeDowncast($0, to: ValueDownstream<Value>.self).receive(value)
    }
  }

  func complete(_ failure: (any Error)?, _ number: Int) {
    carryOut(state.withLock { $0.receive(failure, from: number) })
  }

  // MARK: Orders

  private func order(
    _ change: (inout any OperatorMachine) -> OperatorStep
  ) -> OperatorState.Orders {
    state.withLock { state in
      let step = change(&state.machine)
      return state.orders(for: step)
    }
  }

  private func perform(_ change: (inout any OperatorMachine) -> OperatorStep) {
    carryOut(order(change))
  }

  /// Does what is to be done, and, when that calls downstream, what comes of it.
  ///
  /// - Parameters:
  ///   - number: The subscription whose value is being received: what is asked of it in the end is
  ///     returned, so that a source that answers each request with a value need not do so from inside
  ///     its own call.
  ///   - handOut: Calls downstream with that value.
  @discardableResult
  private func carryOut(
    _ first: OperatorState.Orders,
    returningDemandOf number: Int? = nil,
    handOut: (OperatorDownstream) -> Subscribers.Demand = { _ in .none }
  ) -> Subscribers.Demand {
    var orders = first
    while true {
      orders.row?.cancel()
      orders.cancelled?.content.cancel()
      if let (upstream, number) = orders.subscribed { upstream.content(self, number) }
      if let request = orders.request {
        if orders.call == nil, request.number == number { return request.demand }
        request.subscription.content.request(request.demand)
      }
      guard let call = orders.call else { return .none }
      let more: Subscribers.Demand
      switch call.content {
      case .incoming: more = handOut(call.downstream)
      case .waiting(let value): more = call.downstream.receive(waiting: value.content)
      case .completion(let failure):
        call.downstream.complete(failure)
        return .none
      }
      orders = order { $0.callDidReturn(more) }
    }
  }
}

extension DeliveredState {
  fileprivate init(_ event: LifecycleEvent) {
    self.init(phase: event.phase, sequenceNumber: event.sequenceNumber, instant: event.instant)
  }
}
