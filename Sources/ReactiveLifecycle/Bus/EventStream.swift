/// How a stream of values is made from events.
struct EventStream<Output>: Sendable {
  let kinds: KindFilter
  let makeRow:
    @Sendable (BusCore, KindFilter, CallSite?, Downstream<Output>) -> SubscriberRow<Output>
  /// What a closure that wants values does with an event.
  let receiver: @Sendable (@escaping (Output) -> Void) -> (LifecycleEvent) -> Void
  /// The value that a new subscriber gets first. Such a stream keeps only the latest value for a
  /// subscriber that has not asked for it yet.
  let current: (@Sendable (DeliveredState) -> Output)?
}

extension EventStream<LifecycleEvent> {
  static func events(_ kinds: KindFilter) -> Self {
    EventStream(kinds: kinds, makeRow: EventRow.init, receiver: { $0 }, current: nil)
  }
}

extension EventStream<LifecyclePhase> {
  static var phases: Self {
    EventStream(
      kinds: .transitions,
      makeRow: PhaseRow.init,
      receiver: { body in { body($0.phase) } },
      current: \.phase
    )
  }
}

extension EventStream<BackgroundStay> {
  static var backgroundStays: Self {
    EventStream(
      kinds: KindFilter(some: [.willEnterForeground]),
      makeRow: StayRow.init,
      receiver: { body in { $0.backgroundStay.map(body) } },
      current: nil
    )
  }
}
