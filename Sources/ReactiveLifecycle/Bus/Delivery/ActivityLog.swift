/// Notes an activity of a bus that is recorded: its beginning and its end.
package struct ActivityLog: Sendable {
  private let kind: BusActivity.Kind
  private let id: Int
  private let name: String
  private let bus: LifecycleBusCore

  /// Notes the beginning.
  package init(
    _ kind: BusActivity.Kind,
    named name: String,
    on bus: LifecycleBusCore,
    at instant: LifecycleInstant
  ) {
    self.kind = kind
    self.name = name
    self.bus = bus
    id = bus.makeActivityID()
    bus.note(BusActivity(kind, id: id, name: name, .began), at: instant)
  }

  /// Notes the end, if the bus is still recorded.
  package func noteEnd(_ outcome: String) {
    guard let now = bus.instantForTaps else { return }
    bus.note(BusActivity(kind, id: id, name: name, .ended(outcome)), at: now)
  }
}
