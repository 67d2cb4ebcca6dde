import ReactiveLifecycle
import Synchronization

/// An observer that any thread may cancel, also several at once, also in a delivery.
final class SharedObserver: Sendable {
  private let check: ObserverCheck
  private let token: LifecycleSubscription

  /// Adds an observer to a bus.
  ///
  /// - Parameter number: The number of the event in delivery, if this is called in an observer of
  ///   the same bus.
  init(
    of observed: ObservedBus,
    catchUp: LifecycleCatchUp,
    inDeliveryOf number: Int?,
    _ world: World
  ) {
    let check = world.check(.closure, of: observed, catchUp: catchUp, inDeliveryOf: number)
    let canary = world.canary(of: observed)
    self.check = check
    token = check.registering {
      observed.addObserver(catchUp: catchUp) { event in
        withExtendedLifetime(canary) { check.receive(event) }
      }
    }
    if world.faults.makes(.joining), number != nil, let event = observed.delivery.current {
      check.receive(event)
    }
  }

  var observed: ObservedBus { check.observed }

  /// Cancels the observer.
  ///
  /// - Parameter number: The number of the event in delivery, if this is called in an observer of
  ///   the same bus.
  func cancel(inDeliveryOf number: Int? = nil, _ faults: Faults) {
    token.cancel()
    faults.check(.leaving, !token.isActive, "a cancelled observer is active")
    check.didCancel(isInDelivery: number != nil)
    if faults.makes(.leaving), let event = observed.delivery.current { check.receive(event) }
  }
}
