/// The entry point through which a source sends to a bus.
public final class LifecycleFeed: Sendable {
  package let core: LifecycleBusCore
  private let name: LifecycleSourceName
  /// The effect of the source's reports on the phase of the bus.
  package let role: LifecycleRole
  /// The source's number on the bus.
  private let source: Int

  convenience init(_ registration: PhaseAggregate.Registration, to core: LifecycleBusCore) {
    self.init(registration, core.connect(registration), core)
  }

  private init(_ registration: PhaseAggregate.Registration, _ source: Int, _ core: LifecycleBusCore)
  {
    self.core = core
    name = registration.name
    role = registration.role
    self.source = source
  }

  /// Returns a feed for a part of the source that has a separate say in the phase, such as one of
  /// the scenes of an application, which come and go while the source stays.
  ///
  /// ```swift
  /// let window = feed.part(as: .participant("window 2"))
  /// window.send(.didBecomeActive)
  /// window.disconnect()
  /// ```
  ///
  /// The part reports under the source's name, and is disconnected with the source. A part that is
  /// requested after that is disconnected from the start. Thread-safe.
  ///
  /// - Parameter role: The effect of the part's reports on the phase.
  /// - Returns: The part's feed; ``disconnect()`` detaches the part alone.
  public func part(as role: LifecycleRole) -> LifecycleFeed {
    LifecycleFeed(.init(name: name, role: role, whole: source), to: core)
  }

  /// Returns a part that is a separate participant, as ``part(as:)`` makes it; nil if the bus has a
  /// participant of that name.
  package func part(ofNewParticipant participant: LifecycleParticipant) -> LifecycleFeed? {
    let registration = PhaseAggregate.Registration(
      name: name,
      role: .participant(participant),
      whole: source
    )
    return core.connectNewParticipant(registration).map { LifecycleFeed(registration, $0, core) }
  }

  /// Sends an input to the bus. Thread-safe; never waits for another thread.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - instant: The instant of the event; now, if nil.
  ///   - metadata: Text for the observers.
  /// - Returns: The result of the input.
  @discardableResult
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:]
  ) -> LifecycleSendResult {
    core.send(input(kind, instant, metadata))
  }

  /// Sends an input to the bus, and calls a closure when the observers have returned.
  ///
  /// Use it for a thread that must wait before the system continues, for example before a stop or a
  /// shutdown. The thread waits for the completion, but no longer than the system allows; see
  /// <doc:WritingASource>.
  ///
  /// The bus accepts the input before this method returns, and delivers it later: a
  /// ``LifecycleBus`` on the main actor, a ``NonisolatedLifecycleBus`` on a separate thread. So the
  /// main thread must not wait for a ``LifecycleBus``, and an observer not for any bus. The main
  /// thread sends to a ``LifecycleBus`` without a completion: the input is delivered when
  /// ``send(_:at:metadata:)`` returns.
  ///
  /// Thread-safe; never waits for another thread.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - instant: The instant of the event; now, if nil.
  ///   - metadata: Text for the observers.
  ///   - completion: Called once, on any thread, when the last observer of the input, or of its
  ///     suppression, has returned; before this method returns if the source is disconnected.
  /// - Returns: The result of the input: queued or suppressed.
  @discardableResult
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:],
    completion: @escaping @Sendable () -> Void
  ) -> LifecycleSendResult {
    core.send(input(kind, instant, metadata), completion: completion)
  }

  /// Notes, for recorders, that a deadline for the observers of an event has passed.
  ///
  /// - Returns: The observer that the bus is calling now.
  package func noteOverrun(of kind: LifecycleEvent.Kind) -> LifecycleObserverLocation? {
    core.noteOverrun(of: kind)
  }

  /// The origin of the events that the source causes.
  var origin: LifecycleEvent.Origin { .source(name) }

  /// A Boolean value that indicates whether the bus has accepted a `willTerminate`, from any
  /// source.
  package var hasAcceptedTermination: Bool { core.hasAcceptedTermination }

  /// A Boolean value that indicates whether the bus reads the system's clocks, so that an instant
  /// of these clocks is meaningful to it.
  package var usesSystemClock: Bool { core.clock is SystemLifecycleClock }

  /// Detaches the source permanently, for example because it has failed or ended.
  ///
  /// The reports of the source and its parts are withdrawn, and the bus moves to the phase that
  /// follows from the other sources. Anything that they send after that is suppressed as
  /// `disconnected`. Thread-safe. Has no effect if the source has been disconnected before.
  public func disconnect() {
    core.disconnect(source)
  }

  private func input(
    _ kind: LifecycleEvent.Kind,
    _ instant: LifecycleInstant?,
    _ metadata: [String: String]
  ) -> PhaseMachine.Input {
    PhaseMachine.Input(
      kind: kind,
      origin: origin,
      source: source,
      instant: instant ?? core.clock.now,
      metadata: metadata
    )
  }
}
