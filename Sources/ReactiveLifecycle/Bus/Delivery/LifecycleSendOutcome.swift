/// The outcome of an input.
///
/// Not an enumeration, because later versions may have more outcomes.
public struct LifecycleSendOutcome: Sendable, Hashable {
  enum Choice: Sendable, Hashable {
    case delivered
    case queued
    case suppressed(SuppressedInput.Reason)
  }

  let choice: Choice

  init(_ choice: Choice) {
    self.choice = choice
  }

  /// Every observer has received it.
  public static let delivered = Self(.delivered)

  /// The input is accepted and will be delivered in its turn, because another delivery is under way
  /// or the bus delivers elsewhere.
  public static let queued = Self(.queued)

  /// No observer will receive the input.
  public static func suppressed(_ reason: SuppressedInput.Reason) -> Self {
    Self(.suppressed(reason))
  }

  /// The reason why no observer will receive the input; nil if observers have received it, or will.
  public var suppressionReason: SuppressedInput.Reason? {
    if case .suppressed(let reason) = choice { reason } else { nil }
  }
}

extension LifecycleSendOutcome: CustomStringConvertible, CustomReflectable {
  /// `delivered`, `queued`, or `suppressed (duplicate)`.
  public var description: String {
    switch choice {
    case .delivered: "delivered"
    case .queued: "queued"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }

  public var customMirror: Mirror {
    Mirror(self, children: Mirror(reflecting: choice).children, displayStyle: .enum)
  }
}
