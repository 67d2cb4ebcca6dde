/// What both kinds of bus share: sending, the streams, the reports. Operators, sources and scopes
/// work on either.
///
/// `LifecycleBus` and `NonisolatedLifecycleBus` conform. Not for conformance by other types, which can't
/// make a core.
public protocol LifecycleBusProtocol: AnyObject, Sendable {
  /// The part that both kinds of bus have in common. Opaque.
  var core: LifecycleBusCore { get }
}

extension LifecycleBusProtocol {
  /// The phase that the observers have been told of last. Any thread.
  public var phase: LifecyclePhase { core.phase }

  /// Sends an input of the program's own to the bus, with the origin
  /// ``LifecycleEvent/Origin/manual``.
  ///
  /// Any thread; never waits for another one. An input sent from inside an observer is queued behind
  /// everything that the bus has accepted. Skipped steps are filled in; a transition that would not
  /// change the phase is suppressed.
  ///
  /// ```swift
  /// bus.send(.didBecomeActive)
  /// ```
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - instant: When it happened; now, if nil.
  ///   - metadata: Text for the observers.
  /// - Returns: What became of the input.
  @discardableResult
  @inlinable
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:]
  ) -> LifecycleSendOutcome {
    core.send(kind, at: instant, metadata: metadata)
  }
}
