/// What became of an input.
public enum LifecycleSendOutcome: Sendable, Hashable {
  /// Every observer has seen it.
  case delivered
  /// It is accepted and will be delivered in its turn: another delivery is under way, or the bus
  /// delivers elsewhere.
  case queued
  /// No observer will see it.
  case suppressed(SuppressedInput.Reason)
}

/// What became of an input whose sender waited for the observers.
public enum LifecycleDeliveryOutcome: Sendable, Hashable {
  /// Every observer has returned.
  case finished
  /// The deadline came first. The observer that was running then, if any, is named; the delivery
  /// goes on.
  case timedOut(running: LifecycleObserverLocation?)
  /// No observer will see it.
  case suppressed(SuppressedInput.Reason)
}
