package import LifecycleCombine
import LifecycleSupport

/// The subscription that an operator gives to its downstream, and its listener on the bus.
///
/// The subscription performs the decisions of the machine outside the lock. When it is cancelled or
/// has completed, it releases everything that it refers to.
package final class OperatorSubscription: Subscription, BusListener {
  private let core: LifecycleBusCore
  private let readsStateOfBus: Bool
  private let state: Locked<OperatorState>

  private init(_ core: LifecycleBusCore, _ state: OperatorState) {
    self.core = core
    readsStateOfBus = type(of: state.machine).readsStateOfBus
    self.state = Locked(state)
  }

  /// Gives downstream its subscription, listens to the bus, and then starts the machine.
  ///
  /// - Parameter subscribing: Subscribes to upstream, with links of downstream's types.
  static func start(
    _ machine: any OperatorMachine,
    subscribing: OperatorState.Subscribing,
    to downstream: some Subscriber,
    hearing kinds: LifecycleEvent.Kinds,
    of core: LifecycleBusCore,
    site: CallSite
  ) {
    let subscription = OperatorSubscription(
      core,
      OperatorState(
        machine: machine,
        subscribing: subscribing,
        downstream: UncheckedSendable(SubscriberDownstream(downstream))
      )
    )
    downstream.receive(subscription: subscription)
    subscription.perform { $0.downstreamDidSubscribe() }
    let row = ListenerRow(core: core, kinds: kinds, site: site, listener: subscription)
    guard subscription.state.withLock({ $0.keep(row) }) else { return }
    core.listen(row)
    if !core.hasEnded { subscription.perform { $0.start() } }
  }

  // MARK: The bus

  package func join(at delivered: DeliveredState) {
    // On a bus that has ended, only the end follows.
    guard !core.hasEnded else { return }
    perform { $0.join(at: delivered) }
  }

  package func hear(_ event: LifecycleEvent) {
    let delivered = DeliveredState(event)
    perform { $0.receiveState(delivered) }
  }

  package func busDidEnd() {
    perform { $0.busDidEnd() }
  }

  // MARK: Downstream

  /// A Boolean value that indicates whether downstream has been sent its completion, or has
  /// cancelled.
  package var isFinished: Bool { state.withLock { $0.machine.downstream.isFinished } }

  package func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "A subscriber must request at least one value.")
    perform { $0.request(demand) }
  }

  package func cancel() {
    perform { $0.cancel() }
  }

  // MARK: Upstream

  package func receive(_ subscription: any Subscription, from number: Int) {
    let received = UncheckedSendable(subscription)
    let orders = state.withLock { $0.connect(received, number: number) }
    if let orders { carryOut(orders) } else { subscription.cancel() }
  }

  func receive<Value>(_ value: Value, from number: Int) -> Subscribers.Demand {
    let delivered = readsStateOfBus ? core.delivered : nil
    let received = UncheckedSendable(value)
    let orders = state.withLock {
      $0.receive(from: number, at: delivered) { UncheckedSendable(received.value) }
    }
    return carryOut(orders, returningDemandOf: number) {
      // The same call of `start` has created downstream and the link that the value arrived by.
      // `as!` would take 9 % more instructions for each value (`value-through-gate`).
      unsafeDowncast($0, to: ValueDownstream<Value>.self).receive(value)
    }
  }

  package func complete(_ failure: (any Error)?, from number: Int) {
    carryOut(state.withLock { $0.complete(failure, from: number) })
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

  /// Performs the orders and, after each call of downstream, those that follow from it.
  ///
  /// - Parameters:
  ///   - number: The subscription whose value is being received. The demand for it is returned at
  ///     the end, so that a source that answers each request with a value need not do so from
  ///     inside its own call.
  ///   - deliver: Calls downstream with that value.
  @discardableResult
  private func carryOut(
    _ first: OperatorState.Orders,
    returningDemandOf number: Int? = nil,
    deliver: (OperatorDownstream) -> Subscribers.Demand = { _ in .none }
  ) -> Subscribers.Demand {
    var orders = first
    while true {
      orders.row?.cancel()
      orders.cancelled?.value.cancel()
      if let (subscribing, number) = orders.subscribed { subscribing.value(self, number) }
      if let request = orders.request {
        if orders.call == nil, request.number == number { return request.demand }
        request.subscription.value.request(request.demand)
      }
      guard let call = orders.call else { return .none }
      let more: Subscribers.Demand
      switch call.content {
      case .incoming: more = deliver(call.downstream.value)
      case .waiting(let value): more = call.downstream.value.receive(waiting: value.value)
      case .completion(let failure):
        call.downstream.value.complete(failure)
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
