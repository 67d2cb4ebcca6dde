import Dispatch

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
  /// - Returns: The outcome of the input.
  @discardableResult
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:]
  ) -> LifecycleSendOutcome {
    core.send(input(kind, instant, metadata))
  }

  /// Sends an input to the bus and waits for the observers.
  ///
  /// Use it on a thread that must wait before the system continues, for example before a stop or a
  /// shutdown. Here a ``NonisolatedLifecycleBus`` delivers on a separate thread, so that the
  /// deadline holds. On the main thread a ``LifecycleBus`` delivers before this method returns,
  /// whatever the deadline. An observer can't wait for the observers: inside one, the outcome is
  /// `timedOut`, at once on a ``LifecycleBus``, at the deadline on a ``NonisolatedLifecycleBus``.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - instant: The instant of the event; now, if nil.
  ///   - metadata: Text for the observers.
  ///   - deadline: The instant at which to stop waiting; the delivery continues after that.
  /// - Returns: The outcome of the input, and the observer that was still running at the deadline.
  public func sendAndWait(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:],
    until deadline: ContinuousClock.Instant
  ) -> LifecycleDeliveryOutcome {
    if core.deliversOnlyHere {
      return switch send(kind, at: instant, metadata: metadata) {
      case .delivered: .finished
      case .queued: .timedOut(running: core.runningObserver)
      case .suppressed(let reason): .suppressed(reason)
      }
    }
    let finished = DispatchSemaphore(value: 0)
    let outcome = send(kind, at: instant, metadata: metadata) { finished.signal() }
    if let reason = outcome.suppressionReason { return .suppressed(reason) }
    let timeout = DispatchTime.now() + ContinuousClock.now.duration(to: deadline).dispatchInterval
    return finished.wait(timeout: timeout) == .success
      ? .finished : .timedOut(running: noteOverrun(of: kind))
  }

  /// Accepts an input now, and delivers it where the bus delivers; on a nonisolated bus, never on
  /// the calling thread.
  ///
  /// - Parameter completion: Called on any thread, after the last observer of the input, or of its
  ///   suppression, has returned; at once if the source is disconnected.
  package func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:],
    completion: @escaping @Sendable () -> Void
  ) -> LifecycleSendOutcome {
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

/// The outcome of an input whose sender waited for the observers.
@nonexhaustive
public enum LifecycleDeliveryOutcome: Sendable, Hashable {
  /// Every observer has returned.
  case finished
  /// The deadline passed first. The delivery continues. The observer is the one that was running at
  /// the deadline, if any.
  case timedOut(running: LifecycleObserverLocation?)
  /// No observer will receive the input.
  case suppressed(SuppressedInput.Reason)

  /// The observer that was still running at the deadline, if any.
  public var runningObserver: LifecycleObserverLocation? {
    if case .timedOut(let observer) = self { observer } else { nil }
  }
}

extension LifecycleDeliveryOutcome: CustomStringConvertible {
  /// `finished`, `timed out`, `timed out (running: App/Screen.swift:12)`, or
  /// `suppressed (duplicate)`.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .timedOut(let observer?): "timed out (running: \(observer))"
    case .timedOut(nil): "timed out"
    case .suppressed(let reason): "suppressed (\(reason))"
    }
  }
}
