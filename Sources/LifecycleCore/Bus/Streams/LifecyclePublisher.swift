public import LifecycleCombine

/// A stream of a bus.
///
/// Values are delivered where the bus delivers, in the bus's one order. Demand is honored, and
/// values that were not requested yet are kept; of ``LifecycleBusProtocol/phases``, the latest one,
/// unless it is the one that was received last.
///
/// The publisher does not keep the bus alive: it finishes when the bus is released.
///
/// The closure of a `Subscribers.Sink`, which `sink` makes, is read once, when the sink subscribes.
/// A sink that is made by hand must not be completed by hand or given to a second publisher.
public struct LifecyclePublisher<Output>: Publisher, Sendable {
  public typealias Failure = Never

  let core: LifecycleBusCore
  let stream: EventStream<Output>
  var catchUp = LifecycleCatchUp.nothing
  var site: CallSite?

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let downstream = Downstream(subscriber).noting(stream.onReceipt)
    let row = stream.makeRow(core, stream.kinds, site, downstream)
    core.listen(row, catchUp: catchUp) { row.attach(to: subscriber) }
  }
}

extension LifecycleBusProtocol {
  /// A publisher of every event from now on, in order, which finishes after `willTerminate` or when
  /// the bus is released.
  ///
  /// To find a leak, use ``publisher(for:catchUp:fileID:filePath:line:column:)`` with `.all`
  /// instead: its subscribers report the line of the call, which a property does not know.
  ///
  /// Events that a subscriber has not requested yet are kept for it. A `sink` closure written in
  /// main-actor code must only be used on a ``LifecycleBus``; `addObserver` has no such
  /// restriction.
  public var events: LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(core: core, stream: .events(.all))
  }

  /// Returns a publisher of the events of some kinds, from now on.
  ///
  /// ```swift
  /// bus.publisher(for: [.didEnterBackground, .willTerminate])
  ///   .sink { _ in save() }
  ///   .store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The kinds that are published.
  ///   - catchUp: The past events that a subscriber receives when it subscribes.
  public func publisher(
    for kinds: LifecycleEvent.Kinds,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecyclePublisher<LifecycleEvent> {
    LifecyclePublisher(
      core: core,
      stream: .events(kinds),
      catchUp: catchUp,
      site: CallSite(fileID, filePath, line, column)
    )
  }

  /// A publisher of the phase at the moment of subscribing, then of each change.
  ///
  /// A subscriber that is slow to request values receives the latest. No value follows itself.
  public var phases: LifecyclePublisher<LifecyclePhase> {
    LifecyclePublisher(core: core, stream: .phases)
  }

  /// A publisher of one stay per return to the foreground.
  public var backgroundStays: LifecyclePublisher<BackgroundStay> {
    LifecyclePublisher(core: core, stream: .backgroundStays)
  }

  /// A publisher of the current opening, if the process is in the foreground at the moment of
  /// subscribing, then of each opening: one each time the process enters the foreground, the first
  /// time included.
  ///
  /// Values that a subscriber has not requested yet are kept for it.
  ///
  /// ```swift
  /// bus.openings.sink { opening in print(opening.timeAway) }.store(in: scope)
  /// ```
  public var openings: LifecyclePublisher<LifecycleOpening> {
    LifecyclePublisher(core: core, stream: .openings, catchUp: .path)
  }

  /// A publisher of the inputs that were not delivered, with the reasons.
  ///
  /// It continues after `willTerminate`, until the bus is released.
  public var suppressedInputs: LifecyclePublisher<SuppressedInput> {
    LifecyclePublisher(core: core, stream: .suppressedInputs)
  }
}

/// A description of a stream of values that are made from events.
struct EventStream<Output>: Sendable {
  typealias Row = SubscriberRow<Output>

  let kinds: LifecycleEvent.Kinds
  /// The time that a way down lasts before the stream reports it.
  var settling = Duration.zero
  /// Whether two values are the same one, of which a slow subscriber does not receive both in
  /// succession; nil if all values count.
  var isSame: (@Sendable (Output, Output) -> Bool)?
  /// Called with each value before a subscriber, or the loop over a sequence, receives it, on that
  /// thread: not when the value is only kept. Nil if it does not matter.
  var onReceipt: (@Sendable (Output) -> Void)?
  let makeRow:
    @Sendable (LifecycleBusCore, LifecycleEvent.Kinds, CallSite?, Downstream<Output>) -> Row
}

/// A type-erased subscriber. Only the closures know its type, so a call has no metadata to look up.
struct Downstream<Output> {
  let receive: (Output) -> Subscribers.Demand
  let finish: () -> Void

  init(receive: @escaping (Output) -> Subscribers.Demand, finish: @escaping () -> Void) {
    self.receive = receive
    self.finish = finish
  }

  init(_ subscriber: some Subscriber<Output, Never>) {
    if let sink = subscriber as? Subscribers.Sink<Output, Never> {
      // The closure that the sink itself would call, after taking a lock for every value. So the
      // row, and not the sink, releases it: where the bus delivers, even if the sink is cancelled
      // on another thread. The closure stays the same unless the sink is also given to another
      // publisher, or changed: see `LifecyclePublisher`.
      let receiveValue = sink.receiveValue
      receive = {
        receiveValue($0)
        return .none
      }
    } else {
      receive = { subscriber.receive($0) }
    }
    finish = { subscriber.receive(completion: .finished) }
  }

  /// Returns a subscriber that has each value noted before it receives it.
  func noting(_ note: (@Sendable (Output) -> Void)?) -> Self {
    guard let note else { return self }
    return Downstream {
      note($0)
      return receive($0)
    } finish: {
      finish()
    }
  }
}
