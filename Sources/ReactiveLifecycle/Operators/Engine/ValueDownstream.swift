import LifecycleCombine

/// The subscriber of an operator on values of a known type.
class ValueDownstream<Value>: OperatorDownstream {
  func receive(_ value: Value) -> Subscribers.Demand { .none }
}
