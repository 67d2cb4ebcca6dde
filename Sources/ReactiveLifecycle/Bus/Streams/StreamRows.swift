/// A subscriber of a stream of events.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class EventRow: SubscriberRow<LifecycleEvent>, @unchecked Sendable {
  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<LifecycleEvent>
  ) {
    super.init(core, kinds, site, downstream)
  }

  override func receive(_ event: LifecycleEvent) { offer(event) }
}

/// A subscriber of the stream of phases.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class PhaseRow: SubscriberRow<LifecyclePhase>, @unchecked Sendable {
  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<LifecyclePhase>
  ) {
    super.init(core, kinds, site, downstream, latest: LatestValue(==))
  }

  override func receive(_ event: LifecycleEvent) { offer(event.phase) }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    super.start(after: delivered, catchUp: catchUp)
    offerFirst(delivered.phase)
  }
}

/// A subscriber of the stream of stays.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class StayRow: SubscriberRow<BackgroundStay>, @unchecked Sendable {
  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<BackgroundStay>
  ) {
    super.init(core, kinds, site, downstream)
  }

  override func receive(_ event: LifecycleEvent) {
    if let stay = event.backgroundStay { offer(stay) }
  }
}

/// A subscriber of the stream of suppressed inputs.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class SuppressionRow: SubscriberRow<SuppressedInput>, @unchecked Sendable {
  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<SuppressedInput>
  ) {
    super.init(core, kinds, site, downstream, table: .suppressions)
  }

  override func receive(_ input: SuppressedInput) { offer(input) }
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
