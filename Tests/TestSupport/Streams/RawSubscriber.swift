public import LifecycleCombine

/// A subscriber that asks for exactly what a test tells it to, and traces the protocol.
public final class RawSubscriber<Input>: Subscriber, @unchecked Sendable {
  public typealias Failure = Never

  private let trace: Trace
  private let initialDemand: Subscribers.Demand
  private let describe: (Input) -> String
  /// What `receive(_:)` returns.
  public var furtherDemand: (Input) -> Subscribers.Demand = { _ in .none }
  public private(set) var subscription: (any Subscription)?

  public init(
    _ trace: Trace,
    demand: Subscribers.Demand = .none,
    describe: @escaping (Input) -> String
  ) {
    self.trace = trace
    self.initialDemand = demand
    self.describe = describe
  }

  public func receive(subscription: any Subscription) {
    self.subscription = subscription
    trace("subscription")
    if initialDemand > .none { subscription.request(initialDemand) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    trace(describe(input))
    return furtherDemand(input)
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    trace("finished")
    subscription = nil
  }

  public func request(_ count: Int) { subscription?.request(.max(count)) }
  public func cancel() { subscription?.cancel() }
}
