import LifecycleCombine

/// The subscriber of an operator, whose type is forgotten: what is looked up of generic types costs more
/// than the call.
///
/// `@unchecked Sendable`: see `Carried`. One thread at a time calls it: the one that has the outlet's
/// call.
class OperatorDownstream: @unchecked Sendable {
  /// Hands out a value that has waited.
  func receive(waiting value: Any) -> Subscribers.Demand { .none }

  /// The end. Nil if it is no failure.
  func complete(_ failure: (any Error)?) {}
}

/// The subscriber of an operator that passes on values of a type.
class ValueDownstream<Value>: OperatorDownstream, @unchecked Sendable {
  func receive(_ value: Value) -> Subscribers.Demand { .none }
}

final class SubscriberDownstream<Downstream: Subscriber>:
  ValueDownstream<Downstream.Input>, @unchecked Sendable
{
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
