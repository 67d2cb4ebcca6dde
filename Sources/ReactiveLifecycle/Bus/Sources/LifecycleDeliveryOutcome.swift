/// The outcome of an input whose sender waited for the observers.
///
/// Not an enumeration, because later versions may have more outcomes.
public struct LifecycleDeliveryOutcome: Sendable, Hashable {
  enum Choice: Sendable, Hashable {
    case finished
    case timedOut(running: LifecycleObserverLocation?)
    case suppressed(SuppressedInput.Reason)
  }

  let choice: Choice

  private init(_ choice: Choice) {
    self.choice = choice
  }

  /// Every observer has returned.
  public static let finished = Self(.finished)

  /// The deadline passed first. The delivery continues.
  ///
  /// - Parameter observer: The observer that was running at the deadline, if any.
  public static func timedOut(running observer: LifecycleObserverLocation?) -> Self {
    Self(.timedOut(running: observer))
  }

  /// No observer will receive the input.
  public static func suppressed(_ reason: SuppressedInput.Reason) -> Self {
    Self(.suppressed(reason))
  }

  /// A Boolean value that indicates whether the deadline passed before the last observer returned.
  public var isTimedOut: Bool {
    if case .timedOut = choice { true } else { false }
  }

  /// The observer that was still running at the deadline, if any.
  public var runningObserver: LifecycleObserverLocation? {
    if case .timedOut(let observer) = choice { observer } else { nil }
  }

  /// The reason why no observer will receive the input; nil if observers have received it, or will.
  public var suppressionReason: SuppressedInput.Reason? {
    if case .suppressed(let reason) = choice { reason } else { nil }
  }
}

extension LifecycleDeliveryOutcome: CustomStringConvertible, CustomReflectable {
  /// `finished`, `timed out`, `timed out (running: App/Screen.swift:12)`, or
  /// `suppressed (duplicate)`.
  public var description: String {
    switch choice {
    case .finished: "finished"
    case .timedOut(let observer?): "timed out (running: \(observer))"
    case .timedOut(nil): "timed out"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }

  public var customMirror: Mirror {
    Mirror(self, children: Mirror(reflecting: choice).children, displayStyle: .enum)
  }
}
