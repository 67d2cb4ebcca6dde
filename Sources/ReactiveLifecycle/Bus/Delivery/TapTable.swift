/// The taps of a bus, and the numbers under which they know its observers.
struct TapTable {
  private struct Entry {
    let tap: any BusTap
    /// The last observer that had joined before the tap, which knows those that joined later.
    let earlierObserver: Int
  }

  private var entries: ContiguousArray<Entry> = []
  private var observers: [ObjectIdentifier: Int] = [:]
  private var lastObserver = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ tap: any BusTap) {
    entries.append(Entry(tap: tap, earlierObserver: lastObserver))
  }

  /// Returns the tap, for the caller to release outside the lock.
  mutating func remove(_ tap: any BusTap) -> (any BusTap)? {
    guard let index = entries.firstIndex(where: { $0.tap === tap }) else { return nil }
    if entries.count == 1 { observers = [:] }
    return entries.remove(at: index).tap
  }

  func note(_ record: @autoclosure () -> BusRecord) {
    guard !entries.isEmpty else { return }
    let record = record()
    for entry in entries { entry.tap.note(record) }
  }

  func note(_ input: PhaseMachine.Input, _ reason: SuppressedInput.Reason?) {
    note(
      BusRecord(
        .input(input.kind, source: input.source, suppressed: reason),
        at: input.instant,
        metadata: input.metadata
      )
    )
  }

  /// Notes an event that an input caused.
  func note(_ move: PhaseMachine.Move, by input: PhaseMachine.Input) {
    let isOwn = move.kind == input.kind
    note(
      BusRecord(
        .event(BusRecord.Event(move, origin: isOwn ? input.origin : .synthesized)),
        at: input.instant,
        metadata: isOwn ? input.metadata : [:]
      )
    )
  }

  // MARK: Observers

  /// A Boolean value that indicates whether the taps know the row.
  func hasNoted(_ row: ObserverRow) -> Bool {
    observers[ObjectIdentifier(row)] != nil
  }

  mutating func noteJoining(
    _ row: ObserverRow,
    _ location: LifecycleObserverLocation,
    at instant: LifecycleInstant
  ) {
    lastObserver += 1
    observers[ObjectIdentifier(row)] = lastObserver
    note(BusRecord(.observerAdded(lastObserver, location), at: instant))
  }

  mutating func noteLeaving(_ row: ObserverRow, at instant: LifecycleInstant) {
    guard let number = observers.removeValue(forKey: ObjectIdentifier(row)) else { return }
    for entry in entries where number > entry.earlierObserver {
      entry.tap.note(BusRecord(.observerRemoved(number), at: instant))
    }
  }
}

extension BusRecord.Event {
  init(_ move: PhaseMachine.Move, origin: LifecycleEvent.Origin) {
    self.init(
      kind: move.kind,
      previousPhase: move.previousPhase,
      phase: move.phase,
      sequenceNumber: move.sequenceNumber,
      origin: origin,
      backgroundStay: move.backgroundStay
    )
  }
}
