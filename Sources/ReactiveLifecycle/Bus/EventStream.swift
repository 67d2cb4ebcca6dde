/// How a stream of values is made from events.
struct EventStream<Output>: Sendable {
  let kinds: KindFilter
  /// The value of an event, if it has one.
  let value: @Sendable (LifecycleEvent) -> Output?
  /// The value that a new subscriber gets first. Such a stream keeps only the latest value for a
  /// subscriber that has not asked for it yet.
  let current: (@Sendable (DeliveredState) -> Output)?
}

extension EventStream<LifecycleEvent> {
  static func events(_ kinds: KindFilter) -> Self {
    EventStream(kinds: kinds, value: { $0 }, current: nil)
  }
}

extension EventStream<LifecyclePhase> {
  static var phases: Self {
    EventStream(kinds: .transitions, value: \.phase, current: \.phase)
  }
}

extension EventStream<BackgroundStay> {
  static var backgroundStays: Self {
    EventStream(
      kinds: KindFilter([.willEnterForeground]),
      value: \.backgroundStay,
      current: nil
    )
  }
}
