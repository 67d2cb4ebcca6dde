import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// The check of a subscriber of stays: it receives one for each return, and all since its
/// subscription (G11).
final class StayStreamCheck: Sendable {
  private let observed: ObservedBus
  private let faults: Faults
  private let received = Mutex<[BackgroundStay]>([])
  /// The number of stays when the subscription had begun.
  private let countAtSubscription = Atomic(0)

  init(of observed: ObservedBus, _ faults: Faults) {
    self.observed = observed
    self.faults = faults
  }

  func subscribe() -> AnyCancellable {
    let subscription = observed.bus.backgroundStays.sink { [self] stay in
      received.withLock { $0.append(stay) }
    }
    countAtSubscription.store(observed.delivery.stays.count, ordering: .relaxed)
    return subscription
  }

  /// Checks the stays. Call it when the bus has delivered everything.
  func checkEnd() {
    let (received, all) = (received.withLock { $0 }, observed.delivery.stays)
    // The one in delivery at the subscription may not be counted yet.
    let least = all.count - countAtSubscription.load(ordering: .relaxed) - 1
    faults.check(
      .time,
      received.count >= least && received == all.suffix(received.count),
      "received the stays \(received), the last of \(all)"
    )
  }
}
