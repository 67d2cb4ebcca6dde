import DequeModule
public import LifecycleCombine
import LifecycleSupport

/// The result of an operator that binds a publisher to the phases of a bus, such as
/// `gate(_:of:buffering:)` and `whilePhase(_:of:)`.
public struct LifecycleOperator<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  /// A closure that subscribes to upstream on behalf of one subscription of the operator, under a
  /// number.
  package typealias Subscribing = (Upstream, OperatorSubscription, Int) -> Void

  private let upstream: Upstream
  private let machine: any OperatorMachine
  private let core: LifecycleBusCore
  private let site: CallSite
  /// Unchecked, because it captures only `Sendable` values and the types of upstream.
  private let makeSubscribing: UncheckedSendable<() -> Subscribing>

  /// - Parameters:
  ///   - machine: The machine in its initial state.
  ///   - makeSubscribing: Called for each subscriber. The result is released at the end of its
  ///     subscription.
  package init(
    _ machine: any OperatorMachine,
    upstream: Upstream,
    of core: LifecycleBusCore,
    site: CallSite,
    makeSubscribing: @escaping () -> Subscribing = {
      { $0.subscribe(UpstreamLink<Output, Failure>($1, number: $2)) }
    }
  ) {
    self.machine = machine
    self.upstream = upstream
    self.core = core
    self.site = site
    self.makeSubscribing = UncheckedSendable(makeSubscribing)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscribe = makeSubscribing.value()
    OperatorSubscription.start(
      machine,
      subscribing: UncheckedSendable { [upstream] in subscribe(upstream, $0, $1) },
      to: subscriber,
      of: core,
      site: site
    )
  }
}

extension LifecycleOperator: Sendable where Upstream: Sendable {}

/// The subscriber with which an operator subscribes to its upstream.
///
/// Its number distinguishes one subscription from the next.
package struct UpstreamLink<Input, Failure: Error>: Subscriber {
  private let owner: OperatorSubscription
  private let number: Int

  package init(_ owner: OperatorSubscription, number: Int) {
    self.owner = owner
    self.number = number
  }

  package var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

  package func receive(subscription: any Subscription) {
    owner.receive(subscription, from: number)
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    owner.receive(input, from: number)
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: owner.complete(nil, from: number)
    case .failure(let failure): owner.complete(failure, from: number)
    }
  }
}

/// The subscription that an operator gives to its downstream, and its listener on the bus.
///
/// The subscription performs the decisions of the machine outside the lock. When it is cancelled or
/// has completed, it releases everything that it refers to.
///
/// It is not generic, and knows values and the subscriber only by erased types: looking up members
/// of generic types would cost more than all decisions.
package final class OperatorSubscription: Subscription, BusListener {
  private let core: LifecycleBusCore
  private let readsStateOfBus: Bool
  private let state: Locked<State>

  private init(_ core: LifecycleBusCore, _ state: State) {
    self.core = core
    readsStateOfBus = type(of: state.machine).readsStateOfBus
    self.state = Locked(state)
  }

  /// Gives downstream its subscription, listens to the bus, and then starts the machine.
  ///
  /// - Parameter subscribing: Subscribes to upstream, with links of downstream's types.
  fileprivate static func start(
    _ machine: any OperatorMachine,
    subscribing: Subscribing,
    to subscriber: some Subscriber,
    of core: LifecycleBusCore,
    site: CallSite
  ) {
    let downstream = UncheckedSendable(AnyDownstream(subscriber))
    let subscription = OperatorSubscription(
      core,
      State(machine: machine, subscribing: subscribing, downstream: downstream)
    )
    subscriber.receive(subscription: subscription)
    subscription.perform { $0.downstreamDidSubscribe() }
    let row = ListenerRow(core: core, kinds: .transitions, site: site, listener: subscription)
    let isLive = subscription.state.withLock { state in
      guard !state.machine.downstream.isFinished else { return false }
      state.row = row
      return true
    }
    guard isLive else { return }
    core.listen(row)
    if !core.hasEnded { subscription.perform { $0.start() } }
  }

  // MARK: The bus

  package func join(at delivered: DeliveredState) {
    // On a bus that has ended, only the end follows.
    guard !core.hasEnded else { return }
    perform { $0.join(at: delivered) }
  }

  package func receive(_ event: LifecycleEvent) {
    let delivered = DeliveredState(
      phase: event.phase,
      sequenceNumber: event.sequenceNumber,
      instant: event.instant
    )
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
    let orders: Orders? = state.withLock { state in
      guard let step = state.machine.connect(number) else { return nil }
      state.subscription = received
      return state.orders(for: step)
    }
    if let orders { carryOut(orders) } else { subscription.cancel() }
  }

  fileprivate func receive(_ value: Any, from number: Int) -> Subscribers.Demand {
    let delivered = readsStateOfBus ? core.delivered : nil
    let received = UncheckedSendable(value)
    let orders: Orders? = state.withLock { state in
      guard let step = state.machine.receiveValue(from: number, at: delivered) else { return nil }
      state.waiting.append(received)
      return state.orders(for: step)
    }
    guard let orders else { return .none }
    return carryOut(orders, returningDemandOf: number)
  }

  package func complete(_ failure: (any Error)?, from number: Int) {
    carryOut(
      state.withLock { state in
        let step = state.machine.complete(failure == nil ? .finished : .failure, from: number)
        // The failure of a subscription that has been replaced is released.
        if case .release = step.upstream { state.failure = failure }
        return state.orders(for: step)
      }
    )
  }

  // MARK: Orders

  private func perform(_ change: (inout any OperatorMachine) -> OperatorStep) {
    carryOut(state.withLock { $0.orders(after: change) })
  }

  /// Performs the orders and, after each call of downstream, those that follow from it.
  ///
  /// - Parameter number: The subscription whose value is being received. The demand for it is
  ///   returned at the end, so that a source that answers each request with a value need not do so
  ///   from inside its own call.
  @discardableResult
  private func carryOut(
    _ orders: consuming Orders,
    returningDemandOf number: Int? = nil
  ) -> Subscribers.Demand {
    while true {
      orders.row?.cancel()
      orders.cancelled?.value.cancel()
      if let (subscribing, number) = orders.subscribing { subscribing.value(self, number) }
      if let request = orders.request {
        if orders.call == nil, request.number == number { return request.demand }
        request.subscription.value.request(request.demand)
      }
      guard let (downstream, call) = orders.call else { return .none }
      switch call {
      case .value(let value):
        let more = downstream.value.receive(value.value)
        orders = state.withLock { $0.orders { $0.callDidReturn(more) } }
      case .completion(let failure):
        downstream.value.complete(failure)
        return .none
      }
    }
  }
}

// Under the lock: the machine, and everything that it refers to.
//
// What comes from Combine is wrapped in `UncheckedSendable`. Combine passes values, subscribers,
// subscriptions and publishers from thread to thread, one call at a time, and so does an operator:
// downstream is called by the thread that makes the call that `DownstreamState` has returned.
extension OperatorSubscription {
  /// A closure that subscribes to upstream, under a number.
  fileprivate typealias Subscribing = UncheckedSendable<(OperatorSubscription, Int) -> Void>

  /// The subscriber of an operator, with its type erased.
  private struct AnyDownstream {
    let receive: (Any) -> Subscribers.Demand
    /// The completion is no failure if nil.
    let complete: ((any Error)?) -> Void

    init<S: Subscriber>(_ subscriber: S) {
      receive = { subscriber.receive($0 as! S.Input) }
      complete = { failure in
        subscriber.receive(completion: failure.map { .failure($0 as! S.Failure) } ?? .finished)
      }
    }
  }

  /// The actions to perform, and the objects to release, after giving back the lock; in this order.
  private struct Orders: ~Copyable, Sendable {
    enum Call: Sendable {
      case value(UncheckedSendable<Any>)
      /// The completion, which is no failure if nil.
      case completion((any Error)?)
    }

    var row: ListenerRow?
    var cancelled: UncheckedSendable<any Subscription>?
    var subscribing: (Subscribing, Int)?
    var request:
      (subscription: UncheckedSendable<any Subscription>, number: Int, demand: Subscribers.Demand)?
    var call: (UncheckedSendable<AnyDownstream>, Call)?

    var dropped: [UncheckedSendable<Any>] = []
    var completed: UncheckedSendable<any Subscription>?
    var ended: (Subscribing?, UncheckedSendable<AnyDownstream>?, (any Error)?)?
  }

  private struct State: Sendable {
    var machine: any OperatorMachine
    var subscribing: Subscribing?
    var downstream: UncheckedSendable<AnyDownstream>?
    var subscription: UncheckedSendable<any Subscription>?
    var row: ListenerRow?
    /// The values that the machine counts.
    var waiting: Deque<UncheckedSendable<Any>> = []
    var failure: (any Error)?

    mutating func orders(after change: (inout any OperatorMachine) -> OperatorStep) -> Orders {
      let step = change(&machine)
      return orders(for: step)
    }

    mutating func orders(for step: OperatorStep) -> Orders {
      var orders = Orders()
      if step.leavesBus || machine.downstream.isFinished { orders.row = row.take() }
      switch step.upstream {
      case .subscribe(let number):
        let resubscribes = type(of: machine).resubscribes
        orders.subscribing = (resubscribes ? subscribing : subscribing.take()).map { ($0, number) }
      case .cancel: orders.cancelled = subscription.take()
      case .replace(let number):
        orders.cancelled = subscription.take()
        orders.subscribing = subscribing.map { ($0, number) }
      case .release: orders.completed = subscription.take()
      case .time(let number): orders.subscribing = subscribing.map { ($0, number ?? 0) }
      case nil: break
      }
      if step.demand > .none, let subscription {
        orders.request = (subscription, machine.upstream.number, step.demand)
      }
      if !step.dropped.isEmpty {
        orders.dropped = Array(waiting[step.dropped])
        waiting.removeSubrange(step.dropped)
      }
      if let call = step.call, let downstream {
        switch call {
        case .value: orders.call = (downstream, .value(waiting.removeFirst()))
        case .completion(.finished): orders.call = (downstream, .completion(nil))
        case .completion(.failure): orders.call = (downstream, .completion(failure))
        }
      }
      if machine.downstream.isFinished {
        orders.ended = (subscribing.take(), downstream.take(), failure.take())
      }
      return orders
    }
  }
}
