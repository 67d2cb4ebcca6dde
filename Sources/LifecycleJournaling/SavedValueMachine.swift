import ReactiveLifecycle

/// The state machine that determines at which events a saved value is asked for.
///
/// These are `didEnterBackground` and `willTerminate`, except that a `didEnterBackground` that was
/// only filled in on the way to `willTerminate` stands for both.
struct SavedValueMachine {
  private var filledIn: LifecycleEvent?

  static let kinds: LifecycleEvent.Kinds = [.didEnterBackground, .willTerminate]

  /// Returns a Boolean value that indicates whether the value is asked for at an event.
  mutating func asks(at event: LifecycleEvent) -> Bool {
    let previous = filledIn.take()
    switch event.kind {
    case .didEnterBackground:
      if event.origin == .synthesized { filledIn = event }
      return true
    case .willTerminate:
      guard let previous else { return true }
      return event.sequenceNumber != previous.sequenceNumber + 1
        || event.instant != previous.instant
    default:
      return false
    }
  }
}
