/// An input that no observer saw, and why.
public struct SuppressedInput: Sendable, Hashable, Codable {
  /// Why an input was not delivered.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// A transition that would not have changed its party's phase: somebody repeated it.
    case duplicate
    /// It moved its own party, but not the bus.
    case masked
    /// It came after `willTerminate`, of the bus or of its party, or after the bus was released.
    case terminated
    /// The source's connection had been cancelled.
    case disconnected
  }

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
