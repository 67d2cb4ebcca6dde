/// A description of a stream of values that are made from events.
struct EventStream<Output>: Sendable {
  typealias Row = SubscriberRow<Output>

  let kinds: LifecycleEvent.Kinds
  /// The time that a way down lasts before the stream reports it.
  var settling = Duration.zero
  /// Whether two values are the same one, of which a slow subscriber does not receive both in
  /// succession; nil if all values count.
  var isSame: (@Sendable (Output, Output) -> Bool)?
  let makeRow:
    @Sendable (LifecycleBusCore, LifecycleEvent.Kinds, CallSite?, Downstream<Output>) -> Row
}

extension EventStream<LifecycleEvent> {
  static func events(_ kinds: LifecycleEvent.Kinds) -> Self {
    EventStream(kinds: kinds, makeRow: EventRow.init)
  }
}

extension EventStream<LifecyclePhase> {
  static var phases: Self {
    EventStream(kinds: .transitions, isSame: { $0 == $1 }, makeRow: PhaseRow.init)
  }
}

extension EventStream<BackgroundStay> {
  static var backgroundStays: Self {
    EventStream(kinds: [.willEnterForeground], makeRow: StayRow.init)
  }
}

extension EventStream<SuppressedInput> {
  static var suppressedInputs: Self {
    EventStream(kinds: .all, makeRow: SuppressionRow.init)
  }
}
