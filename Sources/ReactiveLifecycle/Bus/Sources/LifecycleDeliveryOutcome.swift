/// The outcome of an input whose sender waited for the observers.
@nonexhaustive
public enum LifecycleDeliveryOutcome: Sendable, Hashable {
  /// Every observer has returned.
  case finished
  /// The deadline passed first. The delivery continues. The observer is the one that was running at
  /// the deadline, if any.
  case timedOut(running: LifecycleObserverLocation?)
  /// No observer will receive the input.
  case suppressed(SuppressedInput.Reason)

  /// The observer that was still running at the deadline, if any.
  public var runningObserver: LifecycleObserverLocation? {
    if case .timedOut(let observer) = self { observer } else { nil }
  }
}

extension LifecycleDeliveryOutcome: CustomStringConvertible {
  /// `finished`, `timed out`, `timed out (running: App/Screen.swift:12)`, or
  /// `suppressed (duplicate)`.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .timedOut(let observer?): "timed out (running: \(observer))"
    case .timedOut(nil): "timed out"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }
}
