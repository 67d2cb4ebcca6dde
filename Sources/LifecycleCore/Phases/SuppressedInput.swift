/// An input that was not delivered to the observers, and the reason.
public struct SuppressedInput: Sendable, Hashable {
  /// The reason why an input was not delivered.
  @nonexhaustive
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A transition that would not have changed the phase of its participant or ceiling: a
    /// repetition.
    case duplicate
    /// A transition that moved its participant or ceiling, but not the bus.
    case masked
    /// An input after the `willTerminate` or the release of the bus, or a transition after the
    /// `willTerminate` of its participant.
    case terminated
    /// An input from a source, or a part of one, that is no longer connected.
    case disconnected
  }

  /// The kind of event that was reported.
  public var kind: LifecycleEvent.Kind
  /// The reason why the input was not delivered.
  public var reason: Reason
  /// The origin of the input.
  public var origin: LifecycleEvent.Origin
  /// The instant at which the input happened.
  public var instant: LifecycleInstant

  /// Creates a suppressed input for a test; the bus creates those that it publishes.
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
  /// A short description, such as `didBecomeActive suppressed (duplicate)`.
  public var description: String { "\(kind) suppressed (\(reason))" }
}
