import DequeModule
import LifecycleCombine

/// The state of an operator under its lock: the machine, and everything that it refers to.
///
/// What comes from Combine is wrapped in `UncheckedSendable`. Combine passes values, subscribers,
/// subscriptions and publishers from thread to thread, one call at a time, and so does an operator:
/// downstream is called by the thread that makes the call that `DownstreamState` has returned.
struct OperatorState: Sendable {
  /// A closure that subscribes to upstream, under a number.
  typealias Subscribing = UncheckedSendable<(OperatorSubscription, Int) -> Void>

  /// The actions to perform, and the objects to release, after giving back the lock; in this order.
  struct Orders: Sendable {
    var row: ListenerRow?
    var cancelled: UncheckedSendable<any Subscription>?
    var subscribed: (Subscribing, Int)?
    var request: Request?
    var call: Call?

    var dropped: [UncheckedSendable<Any>] = []
    var releasedSubscription: UncheckedSendable<any Subscription>?
    var releasedSubscribing: Subscribing?
    var releasedDownstream: UncheckedSendable<OperatorDownstream>?
    var releasedFailure: (any Error)?
  }

  struct Request: Sendable {
    let subscription: UncheckedSendable<any Subscription>
    let number: Int
    let demand: Subscribers.Demand
  }

  struct Call: Sendable {
    enum Content: Sendable {
      /// The value that is being received, because nothing waits before it.
      case incoming
      case waiting(UncheckedSendable<Any>)
      /// The completion, which is no failure if nil.
      case completion((any Error)?)
    }

    let downstream: UncheckedSendable<OperatorDownstream>
    let content: Content
  }

  var machine: any OperatorMachine
  private var subscribing: Subscribing?
  private var downstream: UncheckedSendable<OperatorDownstream>?
  private var subscription: UncheckedSendable<any Subscription>?
  private var row: ListenerRow?
  private var waiting: Deque<UncheckedSendable<Any>> = []
  private var failure: (any Error)?

  init(
    machine: any OperatorMachine,
    subscribing: Subscribing,
    downstream: UncheckedSendable<OperatorDownstream>
  ) {
    self.machine = machine
    self.subscribing = subscribing
    self.downstream = downstream
  }

  /// Keeps the row that listens to the bus. Returns false if the operator has finished.
  mutating func keep(_ row: ListenerRow) -> Bool {
    guard !machine.downstream.isFinished else { return false }
    self.row = row
    return true
  }

  /// Keeps a subscription that upstream has sent; nil if it must be cancelled.
  mutating func connect(
    _ subscription: UncheckedSendable<any Subscription>,
    number: Int
  ) -> Orders? {
    guard let step = machine.connect(number) else { return nil }
    self.subscription = subscription
    return orders(for: step)
  }

  /// Receives a value, which is kept only if it has to wait.
  mutating func receive(
    from number: Int,
    at delivered: DeliveredState?,
    keep value: () -> UncheckedSendable<Any>
  ) -> Orders {
    guard let step = machine.receiveValue(from: number, at: delivered) else { return Orders() }
    let isAlone = waiting.isEmpty && (step.call == .value || !step.dropped.isEmpty)
    if !isAlone { waiting.append(value()) }
    return orders(for: step, ofIncoming: isAlone)
  }

  mutating func complete(_ failure: (any Error)?, from number: Int) -> Orders {
    let step = machine.complete(failure == nil ? .finished : .failure, from: number)
    // The failure of a subscription that has been replaced is released.
    if case .release = step.upstream { self.failure = failure }
    return orders(for: step)
  }

  /// - Parameter isOfIncoming: Whether the step's value, delivered or dropped, is one that does not
  ///   wait.
  mutating func orders(for step: OperatorStep, ofIncoming isOfIncoming: Bool = false) -> Orders {
    var orders = Orders()
    if step.leavesBus || machine.downstream.isFinished { orders.row = row.take() }
    switch step.upstream {
    case .subscribe(let number):
      let resubscribes = type(of: machine).resubscribes
      orders.subscribed = (resubscribes ? subscribing : subscribing.take()).map { ($0, number) }
    case .cancel: orders.cancelled = subscription.take()
    case .replace(let number):
      orders.cancelled = subscription.take()
      orders.subscribed = subscribing.map { ($0, number) }
    case .release: orders.releasedSubscription = subscription.take()
    case .time(let number): orders.subscribed = subscribing.map { ($0, number ?? 0) }
    case nil: break
    }
    if step.demand > .none, let subscription {
      orders.request = Request(
        subscription: subscription,
        number: machine.upstream.number,
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
    if machine.downstream.isFinished {
      orders.releasedSubscribing = subscribing.take()
      orders.releasedDownstream = downstream.take()
      orders.releasedFailure = failure.take()
    }
    return orders
  }

  private mutating func content(of call: DownstreamState.Call) -> Call.Content {
    switch call {
    case .value: .waiting(waiting.removeFirst())
    case .completion(.finished): .completion(nil)
    case .completion(.failure): .completion(failure)
    }
  }
}
