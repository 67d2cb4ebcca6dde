import LifecycleCombine

/// The adapter around a subscriber of any type.
final class SubscriberDownstream<Downstream: Subscriber>: ValueDownstream<Downstream.Input> {
  private let subscriber: Downstream

  init(_ subscriber: Downstream) {
    self.subscriber = subscriber
  }

  override func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    subscriber.receive(value)
  }

  override func receive(waiting value: Any) -> Subscribers.Demand {
    subscriber.receive(value as! Downstream.Input)
  }

  override func complete(_ failure: (any Error)?) {
    subscriber.receive(completion: failure.map { .failure($0 as! Downstream.Failure) } ?? .finished)
  }
}
