public import LifecycleCombine
import LifecycleSupport

/// A downstream that asks for exactly what a test tells it to, and traces the protocol.
///
/// `@unchecked Sendable`: tests set the hooks before they subscribe.
public final class ProbeSubscriber: Subscriber, @unchecked Sendable {
  public typealias Input = ProbeValue
  public typealias Failure = ProbeFailure

  private let trace: Trace
  private let initialDemand: Subscribers.Demand
  private let subscription = Locked(UncheckedBox<any Subscription>())
  /// How many calls are running; more than one is a breach of the protocol.
  private let running = Locked(0)
  public var onSubscription: () -> Void = {}
  public var onValue: (Int) -> Subscribers.Demand = { _ in .none }

  public init(_ trace: Trace, demand: Subscribers.Demand = .unlimited) {
    self.trace = trace
    initialDemand = demand
  }

  public func receive(subscription: any Subscription) {
    call("subscription") {
      let box = UncheckedBox<any Subscription>(subscription)
      self.subscription.withLock { $0 = box }
      onSubscription()
      if initialDemand > .none { subscription.request(initialDemand) }
    }
  }

  public func receive(_ input: ProbeValue) -> Subscribers.Demand {
    call("\(input.number)") { onValue(input.number) }
  }

  public func receive(completion: Subscribers.Completion<ProbeFailure>) {
    call(completion == .finished ? "finished" : "failed") {}
  }

  private func call<Result>(_ line: String, _ body: () -> Result) -> Result {
    let isFirst = running.withLock { count in
      count += 1
      return count == 1
    }
    trace(isFirst ? line : "\(line) inside of another call")
    defer { running.withLock { $0 -= 1 } }
    return body()
  }

  public func request(_ demand: Subscribers.Demand) {
    subscription.withLock { $0 }.value?.request(demand)
  }

  public func cancel() { subscription.withLock { $0 }.value?.cancel() }
}
