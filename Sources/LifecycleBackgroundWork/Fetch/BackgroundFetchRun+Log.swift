import LifecycleSupport
import ReactiveLifecycle

/// The fetch as an activity, for those who record the bus.
extension BackgroundFetchRun {
  /// Notes that the fetch begins, with the names of its handlers.
  func noteBeginning(at instant: LifecycleInstant) {
    let id = core.bus.makeActivityID()
    let name = handlerNames.joined(separator: ", ")
    log.withLock { $0 = (id, name) }
    core.bus.note(BusActivity(.fetch, id: id, name: name, .began), at: instant)
  }

  func noteEnd(_ result: BackgroundFetchResult) {
    guard let (id, name) = log.take(), let now = core.bus.instantForTaps else { return }
    core.bus.note(
      BusActivity(.fetch, id: id, name: name, .ended(result.rawValue)),
      at: now
    )
  }
}
