/// An input that no observer saw, and why.
public struct SuppressedInput: Sendable, Hashable, Codable {
  /// What was reported.
  public var kind: LifecycleEvent.Kind
  /// Why it was not delivered.
  public var reason: Reason
  /// Who reported it.
  public var origin: LifecycleEvent.Origin
  /// When it happened.
  public var instant: LifecycleInstant

  /// A suppressed input as a test makes it; the bus makes its own.
  public init(
    kind: LifecycleEvent.Kind,
    reason: Reason,
    origin: LifecycleEvent.Origin,
    instant: LifecycleInstant
  ) {
    self.kind = kind
    self.reason = reason
    self.origin = origin
    self.instant = instant
  }
}

extension SuppressedInput: CustomStringConvertible {
  /// The input in short: `didBecomeActive suppressed (duplicate)`.
  public var description: String { "\(kind) suppressed (\(reason))" }
}
