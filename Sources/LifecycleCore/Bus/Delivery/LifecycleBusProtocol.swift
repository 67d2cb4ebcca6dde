/// The interface that both kinds of bus share: sending, the streams, waiting, the reports.
///
/// Operators, sources and scopes work on either kind. Closures observe ``LifecycleBus`` and
/// ``NonisolatedLifecycleBus`` themselves, because the kind determines where they run. Both
/// conform. Another type conforms only by returning the core of such a bus, because it can't create
/// a core.
public protocol LifecycleBusProtocol: AnyObject, Sendable {
  /// The part that both kinds of bus have in common. Opaque.
  var core: LifecycleBusCore { get }
}

extension LifecycleBusProtocol {
  /// The phase that observers were notified of last. Thread-safe.
  public var phase: LifecyclePhase { core.phase }

  /// The clock that the events' instants are of, in a test the one that the test moves. Thread-safe.
  ///
  /// Tasks sleep on it, and it can be passed as `any Clock<Duration>`.
  ///
  /// ```swift
  /// let clock = bus.clock
  /// ```
  public var clock: any LifecycleClock & Clock<Duration> { core.clock.asClock }

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
  /// - Returns: The result of the input.
  @discardableResult
  @inlinable
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:]
  ) -> LifecycleSendResult {
    core.send(kind, at: instant, metadata: metadata)
  }

  /// The current state and activity of the bus. Thread-safe.
  ///
  /// - Complexity: O(*n* + *m*²) in *n* observers and *m* sources.
  public var diagnostics: LifecycleDiagnostics {
    core.diagnostics
  }
}

/// The result of an input.
@nonexhaustive
public enum LifecycleSendResult: Sendable, Hashable {
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

extension LifecycleSendResult: CustomStringConvertible {
  /// `delivered`, `queued`, or `suppressed (duplicate)`.
  public var description: String {
    switch self {
    case .delivered: "delivered"
    case .queued: "queued"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }
}
