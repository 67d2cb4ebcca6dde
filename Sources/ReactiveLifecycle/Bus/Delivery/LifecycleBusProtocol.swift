/// The interface that both kinds of bus share: sending, the streams, the reports.
///
/// Operators, sources and scopes work on either kind. `LifecycleBus` and `NonisolatedLifecycleBus`
/// conform. Another type conforms only by returning the core of such a bus, because it can't create
/// a core.
public protocol LifecycleBusProtocol: AnyObject, Sendable {
  /// The part that both kinds of bus have in common. Opaque.
  var core: LifecycleBusCore { get }
}

extension LifecycleBusProtocol {
  /// The phase that observers were notified of last. Thread-safe.
  public var phase: LifecyclePhase { core.phase }

  /// Sends an input that the program itself reports, with the origin
  /// ``LifecycleEvent/Origin/manual``.
  ///
  /// Thread-safe; never waits for another thread. An input that is sent from inside an observer is
  /// queued behind everything that the bus has accepted. Skipped steps are filled in; a transition
  /// that would not change the phase is suppressed.
  ///
  /// ```swift
  /// bus.send(.didBecomeActive)
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - instant: The instant of the event; now, if nil.
  ///   - metadata: Text for the observers.
  /// - Returns: The outcome of the input.
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
