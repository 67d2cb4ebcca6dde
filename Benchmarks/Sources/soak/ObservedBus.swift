import ReactiveLifecycle
import Synchronization

/// A bus, and how far its observers have come.
final class ObservedBus: Sendable {
  let bus: any LifecycleBusProtocol
  private let latest = Atomic(0)

  init(_ bus: any LifecycleBusProtocol) { self.bus = bus }

  /// The highest number of an event that an observer has received.
  ///
  /// As one observer receives them all, the event in delivery is this one or the next.
  var latestNumber: Int { latest.load(ordering: .acquiring) }

  /// A Boolean value that indicates whether the delivery of `willTerminate` has begun.
  var hasEnded: Bool { bus.phase == .terminated }

  func didReceive(_ event: LifecycleEvent) {
    latest.max(event.sequenceNumber, ordering: .acquiringAndReleasing)
  }
}
