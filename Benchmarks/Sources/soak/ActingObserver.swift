import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// An observer that uses its bus while it is called: it sends, registers, and cancels others and
/// itself (G3, G5, G6, G7).
final class ActingObserver: Sendable {
  private let observed: ObservedBus
  private let world: World
  private let random: Mutex<SeededGenerator>

  init(of observed: ObservedBus, seed: UInt64, _ world: World) {
    self.observed = observed
    self.world = world
    random = Mutex(SeededGenerator(seed: seed))
  }

  /// Registers the observer.
  func register() -> LifecycleSubscription {
    let check = world.check(.closure, of: observed)
    return check.registering {
      observed.addObserver { event in
        check.receive(event) { self.act(in: event) }
      }
    }
  }

  private func act(in event: LifecycleEvent) {
    switch random.withLock({ Int.random(in: 0..<64, using: &$0) }) {
    // Fewer inputs than events, or the bus would never come to rest.
    case 0..<8: send()
    case 8..<14: world.share(observer(in: event))
    case 14..<22: cancelShared(in: event)
    case 22..<26: addSelfCancelling(in: event)
    case 26..<28: look()
    default: break
    }
  }

  private func send() {
    let kind = random.withLock { Worker.kinds.randomElement(using: &$0)! }
    let outcome = observed.send(kind, from: "observer")
    world.faults.check(.oneOrder, outcome != .delivered, "\(kind) in an observer is delivered")
  }

  private func observer(in event: LifecycleEvent) -> SharedObserver {
    let catchUp = random.withLock { LifecycleCatchUp.allCases.randomElement(using: &$0)! }
    return SharedObserver(
      of: observed,
      catchUp: catchUp,
      inDeliveryOf: event.sequenceNumber,
      world
    )
  }

  private func cancelShared(in event: LifecycleEvent) {
    guard let other = random.withLock({ world.sharedObserver(using: &$0) }) else { return }
    let isOwn = other.observed === observed
    other.cancel(inDeliveryOf: isOwn ? event.sequenceNumber : nil, world.faults)
  }

  /// Adds an observer that cancels itself in its first call.
  private func addSelfCancelling(in event: LifecycleEvent) {
    let check = world.check(.closure, of: observed, inDeliveryOf: event.sequenceNumber)
    let canary = world.canary(of: observed)
    let token = TokenHolder()
    let delivery = observed.delivery
    token.hold(
      check.registering {
        observed.addObserver { event in
          check.receive(event) {
            token.cancel()
            check.didCancel(isInDelivery: true)
            delivery.expectRelease(of: canary, after: event.sequenceNumber)
          }
        }
      }
    )
  }

  /// Subscribes and cancels in one call, and asks for reports.
  private func look() {
    observed.bus.phases.sink { _ in }.cancel()
    _ = observed.bus.diagnostics
  }
}

/// The token of an observer that cancels itself.
private final class TokenHolder: Sendable {
  private let token = Mutex<LifecycleSubscription?>(nil)

  func hold(_ new: LifecycleSubscription) { token.withLock { $0 = new } }

  func cancel() { token.withLock { $0.take() }?.cancel() }
}
