import LifecycleCombine
import ReactiveLifecycle

/// A bus, with the checks of its observers and senders.
final class ObservedBus: Sendable {
  let bus: any LifecycleBusProtocol
  /// The bus if it delivers on the main actor: it has separate forms for closures.
  let mainActorBus: LifecycleBus?
  let delivery: DeliveryCheck
  let inputs: InputCheck
  /// A Boolean value that indicates whether another bus feeds it.
  let isFed: Bool

  init(_ bus: any LifecycleBusProtocol, name: String, isFed: Bool = false, _ faults: Faults) {
    self.bus = bus
    self.isFed = isFed
    mainActorBus = bus as? LifecycleBus
    delivery = DeliveryCheck(mainActorBus == nil ? .sendingThread : .mainActor, faults)
    inputs = InputCheck(busName: name, faults)
  }

  /// A Boolean value that indicates whether the delivery of `willTerminate` has begun.
  var hasEnded: Bool { bus.phase == .terminated }

  // MARK: Observers

  // A `LifecycleBus` casts the closures that its forms are given, so these forms must be called.

  func addObserver(
    catchUp: LifecycleCatchUp = .nothing,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    guard let mainActorBus else { return bus.addObserver(catchUp: catchUp, using: body) }
    return mainActorBus.addObserver(catchUp: catchUp) { body($0) }
  }

  @discardableResult
  func addObserver(
    in scope: LifecycleScope,
    id: Int? = nil,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    guard let mainActorBus else { return bus.addObserver(in: scope, id: id, using: body) }
    return mainActorBus.addObserver(in: scope, id: id) { body($0) }
  }

  @discardableResult
  func addObserver<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    id: Int? = nil,
    _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    guard let mainActorBus else { return bus.addObserver(owner, id: id, using: body) }
    return mainActorBus.addObserver(owner, id: id) { body($0, $1) }
  }

  func onReturn<Captured: Sendable>(
    in scope: LifecycleScope,
    capturing capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    guard let mainActorBus else {
      bus.onReturn(in: scope, capturing: capture, using: body)
      return
    }
    mainActorBus.onReturn(in: scope, capturing: { capture() }) { body($0, $1) }
  }

  func onReturn<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    _ body: @escaping @Sendable (Owner, BackgroundStay) -> Void
  ) {
    guard let mainActorBus else {
      bus.onReturn(owner, using: body)
      return
    }
    mainActorBus.onReturn(owner) { body($0, $1) }
  }

  // MARK: Inputs

  /// Sends an input, and returns its outcome.
  @discardableResult
  func send(_ kind: LifecycleEvent.Kind, from sender: String) -> LifecycleSendOutcome {
    var result = LifecycleSendOutcome.queued
    inputs.send(kind, from: sender) { kind, metadata in
      result = bus.send(kind, metadata: metadata)
      return (result.suppressionReason, result == .delivered)
    }
    return result
  }
}

extension ObservedBus {
  /// Makes another bus a ceiling of this one.
  func connect(to parent: ObservedBus) throws -> LifecycleCancellable {
    func connect(_ parent: some LifecycleBusProtocol) throws -> LifecycleCancellable {
      try bus.connect(.bus(parent), as: .ceiling)
    }
    return try connect(parent.bus)
  }
}
