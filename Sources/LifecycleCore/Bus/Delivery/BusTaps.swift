/// A receiver of everything that a bus accepts, in the order in which the bus accepts it.
///
/// It is called with the lock of the bus held, on any thread: it stores what it receives, and calls
/// no bus, no clock, and no code of a user.
package protocol BusTap: AnyObject, Sendable {
  /// Notifies the tap of the accepted state of the bus from which on it receives everything; the
  /// first call.
  ///
  /// - Parameters:
  ///   - program: The phase of the application, if the program itself has reported on it; otherwise
  ///     `unknown`.
  ///   - sources: The connected sources, in order of connection.
  func begin(
    at instant: LifecycleInstant,
    phase: LifecyclePhase,
    program: LifecyclePhase,
    sources: [FlightSource]
  )

  func note(_ record: FlightRecord)
}

/// The taps of a bus, and the numbers under which they know its observers.
struct TapTable {
  /// The taps, each with the number of the last observer that joined before it.
  private var taps: [(tap: any BusTap, earlierObserver: Int)] = []
  private var observers: [ObjectIdentifier: Int] = [:]
  private var lastObserver = 0

  var isEmpty: Bool { taps.isEmpty }

  /// Adds a tap to a bus in a state.
  mutating func append(_ tap: any BusTap, to bus: PhaseMachine, at instant: LifecycleInstant) {
    tap.begin(
      at: instant,
      phase: bus.phase,
      program: bus.aggregate.ownPhase,
      sources: bus.aggregate.sources.map { FlightSource($0, in: bus.aggregate) }
    )
    taps.append((tap, lastObserver))
  }

  /// Returns the tap, for the caller to release outside the lock.
  mutating func remove(_ tap: any BusTap) -> (any BusTap)? {
    guard let index = taps.firstIndex(where: { $0.tap === tap }) else { return nil }
    if taps.count == 1 { observers = [:] }
    return taps.remove(at: index).tap
  }

  func note(_ record: @autoclosure () -> FlightRecord) {
    guard !taps.isEmpty else { return }
    let record = record()
    for entry in taps { entry.tap.note(record) }
  }

  /// Notes an input, which comes before the events that it causes.
  func note(_ input: PhaseMachine.Input, _ reason: SuppressedInput.Reason?) {
    let noted = FlightInput(
      input.kind,
      from: input.source,
      metadata: input.metadata,
      suppressed: reason
    )
    note(FlightRecord(.input(noted), at: input.instant))
  }

  /// Notes an event that an input caused.
  func note(_ move: PhaseMachine.Move, by input: PhaseMachine.Input) {
    note(FlightRecord(.event(LifecycleEvent(input, move)), at: input.instant))
  }

  // MARK: Sources

  func noteConnection(
    of source: Int,
    _ registration: PhaseAggregate.Registration,
    in aggregate: PhaseAggregate,
    at instant: LifecycleInstant
  ) {
    if let connected = aggregate.sources.last(where: { $0.id == source }) {
      return note(FlightRecord(.connected(FlightSource(connected, in: aggregate)), at: instant))
    }
    // A part of a source that is no longer connected.
    let part = FlightSource(
      id: source,
      name: registration.name,
      role: registration.role,
      whole: registration.whole
    )
    note(FlightRecord(.connected(part), at: instant))
    note(FlightRecord(.disconnected(source: source), at: instant))
  }

  func noteDisconnection(
    of source: Int,
    in aggregate: PhaseAggregate,
    at instant: LifecycleInstant
  ) {
    for id in aggregate.sourceAndParts(of: source) {
      note(FlightRecord(.disconnected(source: id), at: instant))
    }
  }

  // MARK: Observers

  mutating func noteJoining(
    _ row: ObserverRow,
    _ location: LifecycleObserverLocation,
    at instant: LifecycleInstant
  ) {
    lastObserver += 1
    observers[ObjectIdentifier(row)] = lastObserver
    note(FlightRecord(.observerAdded(observer: lastObserver, location), at: instant))
  }

  mutating func noteLeaving(_ row: ObserverRow, at instant: LifecycleInstant) {
    guard let number = observers.removeValue(forKey: ObjectIdentifier(row)) else { return }
    let record = FlightRecord(.observerRemoved(observer: number), at: instant)
    for entry in taps where number > entry.earlierObserver { entry.tap.note(record) }
  }
}

extension FlightSource {
  fileprivate init(_ source: PhaseAggregate.Source, in aggregate: PhaseAggregate) {
    self.init(
      id: source.id,
      name: source.name,
      role: source.role,
      whole: source.whole,
      phase: aggregate.phase(of: source)
    )
  }
}

/// Notes an activity of a bus that is recorded: its beginning and its end.
package struct ActivityLog: Sendable {
  private let kind: FlightActivity.Kind
  private let id: Int
  private let name: String
  private let bus: LifecycleBusCore

  /// Notes the beginning.
  package init(
    _ kind: FlightActivity.Kind,
    named name: String,
    on bus: LifecycleBusCore,
    at instant: LifecycleInstant
  ) {
    self.kind = kind
    self.name = name
    self.bus = bus
    id = bus.makeActivityID()
    bus.note(FlightActivity(kind, id: id, name: name, .began), at: instant)
  }

  /// Notes the end, if the bus is still recorded.
  package func noteEnd(_ outcome: String) {
    guard let now = bus.instantForTaps else { return }
    bus.note(FlightActivity(kind, id: id, name: name, .ended(outcome)), at: now)
  }
}
