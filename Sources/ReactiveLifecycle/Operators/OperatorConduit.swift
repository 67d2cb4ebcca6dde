import OpenCombineShim

/// The subscription that an operator gives to its downstream, and what listens to the bus for it: does
/// what the machine says, outside the lock.
///
/// Everything that it refers to is let go of when it is cancelled or has completed.
final class OperatorConduit<
  Upstream: Publisher,
  Downstream: Subscriber<Upstream.Output, Upstream.Failure>,
  Machine: OperatorMachine
>: Subscription, BusListener
where Machine.Element == Carried<Upstream.Output>, Machine.Failure == Upstream.Failure {
  private typealias State = OperatorState<Upstream, Downstream, Machine>

  private let core: BusCore
  private let state: Locked<State>

  init(_ machine: Machine, _ core: BusCore, _ upstream: Upstream, _ downstream: Downstream) {
    self.core = core
    state = Locked(
      State(machine: machine, upstream: Carried(upstream), downstream: Carried(downstream))
    )
  }

  /// Gives downstream its subscription, listens to the bus, and then lets the machine begin.
  func start(_ downstream: Downstream, hearing kinds: KindFilter, _ site: CallSite) {
    downstream.receive(subscription: self)
    perform { $0.downstreamDidSubscribe() }
    let row = ListenerRow(core: core, kinds: kinds, site: site, listener: self)
    guard state.withLock({ $0.takeIn(row) }) else { return }
    core.listen(row)
    if !core.hasEnded { perform { $0.start() } }
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

  func receive(_ value: Upstream.Output, _ number: Int) -> Subscribers.Demand {
    let element = Carried(value)
    let delivered = Machine.readsStateOfBus ? core.delivered : nil
    return carryOut(
      order { $0.receive(element, from: number, at: delivered) },
      returningDemandOf: number
    )
  }

  func receive(_ completion: Subscribers.Completion<Upstream.Failure>, _ number: Int) {
    perform { $0.receive(completion, from: number) }
  }

  // MARK: Orders

  private func order(_ change: (inout Machine) -> State.Step) -> State.Orders {
    state.withLock { state in
      let step = change(&state.machine)
      return state.orders(for: step)
    }
  }

  private func perform(_ change: (inout Machine) -> State.Step) {
    carryOut(order(change))
  }

  /// Does what is to be done, and, when that calls downstream, what comes of it.
  ///
  /// - Parameter number: The subscription whose value is being received: what is asked of it in the
  ///   end is returned, so that a source that answers each request with a value need not do so from
  ///   inside its own call.
  @discardableResult
  private func carryOut(
    _ first: consuming State.Orders,
    returningDemandOf number: Int? = nil
  ) -> Subscribers.Demand {
    var orders = first
    while true {
      orders.row?.cancel()
      orders.cancelled?.content.cancel()
      if let (upstream, number) = orders.subscribed {
        upstream.content.subscribe(UpstreamLink(self, number))
      }
      if let request = orders.request {
        if orders.call == nil, request.number == number { return request.demand }
        request.subscription.content.request(request.demand)
      }
      guard let (downstream, call) = orders.call else { return .none }
      switch call {
      case .value(let element):
        let more = downstream.content.receive(element.content)
        orders = order { $0.callDidReturn(more) }
      case .completion(let completion):
        downstream.content.receive(completion: completion)
        return .none
      }
    }
  }
}

extension DeliveredState {
  fileprivate init(_ event: LifecycleEvent) {
    self.init(phase: event.phase, sequenceNumber: event.sequenceNumber, instant: event.instant)
  }
}
