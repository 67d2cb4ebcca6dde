import LifecycleCombine
import ReactiveLifecycle

/// A subscriber that asks for exactly what a test tells it to, and traces the protocol.
final class RawSubscriber<Input>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  private let trace: Trace
  private let initialDemand: Subscribers.Demand
  private let describe: (Input) -> String
  /// What `receive(_:)` returns.
  var furtherDemand: (Input) -> Subscribers.Demand = { _ in .none }
  private(set) var subscription: (any Subscription)?

  init(
    _ trace: Trace,
    demand: Subscribers.Demand = .none,
    describe: @escaping (Input) -> String
  ) {
    self.trace = trace
    self.initialDemand = demand
    self.describe = describe
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    trace("subscription")
    if initialDemand > .none { subscription.request(initialDemand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    trace(describe(input))
    return furtherDemand(input)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    trace("finished")
    subscription = nil
  }

  func request(_ count: Int) { subscription?.request(.max(count)) }
  func cancel() { subscription?.cancel() }
}
