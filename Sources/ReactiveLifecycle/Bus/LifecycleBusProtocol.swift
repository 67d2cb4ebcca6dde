import LifecycleCombine

/// What both kinds of bus share: sending, the streams, the reports. Operators, sources and scopes
/// work on either.
///
/// `LifecycleBus` and `NonisolatedLifecycleBus` conform; other types can't usefully do so.
public protocol LifecycleBusProtocol: AnyObject, Sendable {
  /// The part that both kinds of bus have in common. Opaque.
  var core: LifecycleBusCore { get }
}

/// The part that both kinds of bus have in common. Opaque.
public struct LifecycleBusCore: Sendable {
  @usableFromInline package let core: BusCore
}

extension LifecycleBusProtocol {
  /// The phase that the observers have been told of last. Any thread.
  public var phase: LifecyclePhase { core.core.phase }

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
  ///   - userInfo: Text for the observers.
  /// - Returns: What became of the input.
  @discardableResult
  @inlinable
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    userInfo: [String: String] = [:]
  ) -> LifecycleSendOutcome {
    core.core.send(kind, at: instant, userInfo: userInfo)
  }

  // MARK: Streams

  /// Every event from now on, in order; finishes after `willTerminate`, or when the bus is released.
  ///
  /// Events that a subscriber has not asked for yet are kept for it. A `sink` closure written in
  /// main-actor code must only be used on a ``LifecycleBus``; `addObserver` has no such trap.
  public var events: LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(core: core.core, stream: .events(.all))
  }

  /// The events of some kinds, from now on.
  ///
  /// ```swift
  /// bus.publisher(for: .didEnterBackground, .willTerminate)
  ///   .sink { _ in save() }
  ///   .store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - kind: A kind wanted.
  ///   - kinds: More of them.
  ///   - catchUp: What a subscriber is told about the past when it subscribes.
  public func publisher(
    for kind: LifecycleEvent.Kind,
    _ kinds: LifecycleEvent.Kind...,
    catchUp: LifecycleCatchUp = .none,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(
      core: core.core,
      stream: .events(KindFilter([kind] + kinds)),
      catchUp: catchUp,
      site: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// The phase at the moment of subscribing, then each change. A subscriber that is slow to ask gets
  /// the latest.
  public var phases: LifecyclePublisher<LifecyclePhase> {
    LifecyclePublisher(core: core.core, stream: .phases)
  }

  /// One stay per return to the foreground.
  public var backgroundStays: LifecyclePublisher<BackgroundStay> {
    LifecyclePublisher(core: core.core, stream: .backgroundStays)
  }

  /// What was not delivered, and why. It goes on after `willTerminate`, until the bus is released.
  public var suppressedInputs: LifecycleSuppressedInputs {
    LifecycleSuppressedInputs(core: core.core)
  }

  // MARK: Reports

  /// How many inputs were suppressed for that reason since the bus was made. Any thread.
  public func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    core.core.suppressedCount(reason)
  }

  /// The observers and subscribers that are registered now, in order of registration, for finding
  /// leaks. A subscriber of a publisher that is a property, such as ``events``, can't say where it
  /// was registered. Any thread; O(n).
  public var liveSubscriptions: [LiveSubscription] {
    core.core.liveSubscriptions
  }

  /// What the bus knows and does now. Any thread; O(n) in the observers and sources.
  public var diagnostics: LifecycleDiagnostics {
    core.core.diagnostics
  }
}
