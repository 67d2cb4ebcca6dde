/// The outcome of an input.
@nonexhaustive
public enum LifecycleSendOutcome: Sendable, Hashable {
  /// Every observer has received it.
  case delivered
  /// The input is accepted and will be delivered in its turn, because another delivery is under way
  /// or the bus delivers elsewhere.
  case queued
  /// No observer will receive the input.
  case suppressed(SuppressedInput.Reason)

  /// The reason why no observer will receive the input; nil if observers have received it, or will.
  public var suppressionReason: SuppressedInput.Reason? {
    if case .suppressed(let reason) = self { reason } else { nil }
  }
}

extension LifecycleSendOutcome: CustomStringConvertible {
  /// `delivered`, `queued`, or `suppressed (duplicate)`.
  public var description: String {
    switch self {
    case .delivered: "delivered"
    case .queued: "queued"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }
}
