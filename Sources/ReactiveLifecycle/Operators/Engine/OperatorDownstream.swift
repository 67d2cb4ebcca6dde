import LifecycleCombine

/// The subscriber of an operator, with its type erased.
///
/// Looking up members of generic types would cost more than the call.
class OperatorDownstream {
  /// Delivers a value that has waited.
  func receive(waiting value: Any) -> Subscribers.Demand { .none }

  /// Delivers the completion, which is no failure if nil.
  func complete(_ failure: (any Error)?) {}
}
