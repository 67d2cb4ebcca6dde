import ReactiveLifecycle

/// A background task as an activity, for those who record a bus.
struct BackgroundTaskLog: Sendable {
  private let name: String
  private let bus: LifecycleBusCore
  private let id: Int

  /// Notes the beginning of a task; nil if no one records the bus.
  init?(of name: String, on bus: LifecycleBusCore) {
    guard let now = bus.instantForTaps else { return nil }
    self.name = name
    self.bus = bus
    id = bus.makeActivityID()
    bus.note(BusActivity(.backgroundTask, id: id, name: name, .began), at: now)
  }

  func noteEnd(_ outcome: String) {
    guard let now = bus.instantForTaps else { return }
    bus.note(BusActivity(.backgroundTask, id: id, name: name, .ended(outcome)), at: now)
  }
}
