import Dispatch

/// Where a source sends to.
public final class LifecycleFeed: Sendable {
  let core: LifecycleBusCore
  private let name: LifecycleSourceName
  /// What the reports mean for the phase of the bus.
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

  /// Where to send what a part of the source reports that has a say of its own: one of the scenes of
  /// an application, which come and go while the source stays.
  ///
  /// ```swift
  /// let window = input.part(as: .participant("window 2"))
  /// window.send(.didBecomeActive)
  /// window.disconnect()
  /// ```
  ///
  /// The part reports under the source's name, and leaves with it. Asked for after that, it is
  /// disconnected from the start. Any thread.
  ///
  /// - Parameter role: What the part's reports mean for the phase.
  /// - Returns: Where to send to; ``disconnect()`` detaches the part alone.
  public func part(as role: LifecycleRole) -> LifecycleFeed {
    LifecycleFeed(.init(name: name, role: role, whole: source), to: core)
  }

  /// A part that is a participant of its own, as ``part(as:)`` makes it; nil if the bus has one of that name.
  package func part(ofNewParticipant participant: LifecycleParticipant) -> LifecycleFeed? {
    let registration = PhaseAggregate.Registration(
      name: name,
      role: .participant(participant),
      whole: source
    )
    return core.connectNewParticipant(registration).map { LifecycleFeed(registration, $0, core) }
  }

  /// Sends an input to the bus. Any thread; never waits for another one.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - instant: When it happened; now, if nil.
  ///   - metadata: Text for the observers.
  /// - Returns: What became of the input.
  @discardableResult
  public func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:]
  ) -> LifecycleSendOutcome {
    core.send(input(kind, instant, metadata))
  }

  /// Sends an input to the bus and waits for the observers: for a thread that must wait before the
  /// system goes on, as before a stop or a shutdown.
  ///
  /// A ``NonisolatedLifecycleBus`` delivers on a thread of its own here, so that the deadline holds.
  /// On the main thread a ``LifecycleBus`` delivers before this returns, whatever the deadline. From
  /// inside an observer nobody can wait for the observers: the outcome is `timedOut`, at once on the
  /// main thread, at the deadline elsewhere.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - instant: When it happened; now, if nil.
  ///   - metadata: Text for the observers.
  ///   - deadline: When to give up waiting; the delivery goes on after that.
  /// - Returns: What became of the input, and which observer was still running at the deadline.
  public func sendAndWait(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:],
    until deadline: ContinuousClock.Instant
  ) -> LifecycleDeliveryOutcome {
    if core.deliversOnlyHere {
      return switch send(kind, at: instant, metadata: metadata).choice {
      case .delivered: .finished
      case .queued: .timedOut(running: runningObserver)
      case .suppressed(let reason): .suppressed(reason)
      }
    }
    let finished = DispatchSemaphore(value: 0)
    let outcome = send(kind, at: instant, metadata: metadata) { finished.signal() }
    if let reason = outcome.suppressionReason { return .suppressed(reason) }
    let timeout = DispatchTime.now() + ContinuousClock.now.duration(to: deadline).dispatchInterval
    return finished.wait(timeout: timeout) == .success
      ? .finished : .timedOut(running: runningObserver)
  }

  /// Accepts an input now; it is delivered where the bus delivers, but on a nonisolated bus never on
  /// the calling thread. `completion` is called on any thread, after the last observer of the input,
  /// or of its suppression, has returned; at once when the source is disconnected.
  package func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil,
    metadata: [String: String] = [:],
    completion: @escaping @Sendable () -> Void
  ) -> LifecycleSendOutcome {
    core.send(input(kind, instant, metadata), completion: completion)
  }

  /// The observer that the bus is calling now.
  package var runningObserver: LifecycleObserverLocation? { core.runningObserver }

  /// Whether the bus reads the system's clocks, so that an instant taken there means something to
  /// it.
  package var usesSystemClock: Bool { core.clock is SystemLifecycleClock }

  /// Detaches the source for good, as one does that has failed or come to its end: what it and its
  /// parts said is withdrawn, and the bus moves to the phase that follows from the others. What they
  /// send after that is suppressed as `disconnected`. Any thread; the second call does nothing.
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
      origin: .source(name),
      source: source,
      instant: instant ?? core.clock.now,
      metadata: metadata
    )
  }
}
