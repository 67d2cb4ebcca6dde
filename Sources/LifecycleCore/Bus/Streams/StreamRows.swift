/// A subscriber of a stream of events.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class EventRow: SubscriberRow<LifecycleEvent>, @unchecked Sendable {
  override func receive(_ event: LifecycleEvent) { offer(event) }
}

/// A subscriber of the stream of phases.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class PhaseRow: SubscriberRow<LifecyclePhase>, @unchecked Sendable {
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
  override func receive(_ event: LifecycleEvent) {
    if let stay = event.backgroundStay { offer(stay) }
  }
}

/// A subscriber of the stream of openings.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state that changes.
final class OpeningRow: SubscriberRow<LifecycleOpening>, @unchecked Sendable {
  private let all = OpeningFilter(minimum: .zero, moment: .visible)

  override func receive(_ event: LifecycleEvent) {
    if let opening = core.opening(of: event, all) { offer(opening) }
  }
}

/// A subscriber of the stream of suppressed inputs.
///
/// `@unchecked Sendable`, as its superclass is: it adds no state.
final class SuppressionRow: SubscriberRow<SuppressedInput>, @unchecked Sendable {
  override func receive(_ input: SuppressedInput) { offer(input) }
}

extension EventStream<LifecycleEvent> {
  static func events(_ kinds: LifecycleEvent.Kinds) -> Self {
    EventStream(kinds: kinds) { EventRow($0, $1, $2, $3) }
  }
}

extension EventStream<LifecyclePhase> {
  static var phases: Self {
    EventStream(kinds: .transitions, isSame: { $0 == $1 }) {
      PhaseRow($0, $1, $2, $3, latest: LatestValue(==))
    }
  }
}

extension EventStream<BackgroundStay> {
  static var backgroundStays: Self {
    EventStream(kinds: [.willEnterForeground]) { StayRow($0, $1, $2, $3) }
  }
}

extension EventStream<LifecycleOpening> {
  static var openings: Self {
    EventStream(kinds: [.willEnterForeground]) { OpeningRow($0, $1, $2, $3) }
  }
}

extension EventStream<SuppressedInput> {
  static var suppressedInputs: Self {
    EventStream(kinds: .all) { SuppressionRow($0, $1, $2, $3, table: .suppressions) }
  }
}

// MARK: Streams of features

/// A feature that has a separate stream, such as the states of a countdown.
///
/// It sends values to the subscribers, in place of the bus. `LifecyclePublisher(of:on:)` makes the
/// stream.
package protocol FeatureStream<Output>: AnyObject, Sendable {
  associatedtype Output

  /// Adds a subscriber, where the bus delivers.
  func join(_ row: FeatureRow<Output>)
  /// Removes a subscriber that has left.
  func leave(_ row: FeatureRow<Output>)
}

/// A subscriber of the stream of a feature.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
package final class FeatureRow<Output>: SubscriberRow<Output>, @unchecked Sendable {
  private var stream: (any FeatureStream<Output>)?

  init(
    _ stream: any FeatureStream<Output>,
    _ core: LifecycleBusCore,
    _ site: CallSite?,
    _ downstream: Downstream<Output>,
    latest: LatestValue<Output>?
  ) {
    self.stream = stream
    super.init(core, [], site, downstream, latest: latest)
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    stream?.join(self)
  }

  override func clear() {
    stream?.leave(self)
    stream = nil
    super.clear()
  }

  package func publish(_ value: Output) {
    if isLive { offer(value) }
  }
}

extension LifecyclePublisher where Output: Sendable {
  /// Creates a publisher of the stream of a feature.
  ///
  /// - Parameters:
  ///   - isSame: Whether two values are the same one. If given, only the last one counts of several
  ///     values that a subscriber has not requested yet, and not even that one if the subscriber
  ///     received it last.
  ///   - onReceipt: Called with each value before a subscriber receives it.
  package init(
    of stream: any FeatureStream<Output>,
    on core: LifecycleBusCore,
    keepingLatest isSame: (@Sendable (Output, Output) -> Bool)? = nil,
    onReceipt: (@Sendable (Output) -> Void)? = nil
  ) {
    self.init(
      core: core,
      stream: EventStream(kinds: [], isSame: isSame, onReceipt: onReceipt) {
        FeatureRow(stream, $0, $2, $3, latest: isSame.map { LatestValue($0) })
      }
    )
  }
}
