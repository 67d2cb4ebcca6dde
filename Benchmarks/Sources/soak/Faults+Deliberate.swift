import Dispatch
import ReactiveLifecycle

extension Faults {
  /// Returns the event as it appears to an observer: nil if the observer does not receive it.
  func altered(_ event: LifecycleEvent) -> LifecycleEvent? {
    var altered = event
    switch event.kind {
    case .didFinishLaunching where makes(.path):
      altered.phase = .active
    case .willEnterForeground where makes(.stay) && event.backgroundStay != nil:
      let later = event.instant.advanced(by: .seconds(1))
      altered.backgroundStay = BackgroundStay(from: event.instant, to: later)
    case _ where makes(.gap) && event.sequenceNumber % 10 == 0:
      return nil
    default: break
    }
    return altered
  }

  /// Makes a call that the bus must not make.
  func disturb(_ delivery: DeliveryCheck) {
    if makes(.overlap) { delivery.during { delivery.during {} } }
    if makes(.actor) {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { delivery.during {} }
      group.wait()
    }
  }
}
