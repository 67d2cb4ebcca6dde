/// The taps of a bus, and the numbers under which they know its observers.
struct TapTable {
  private var taps: ContiguousArray<any BusTap> = []
  /// For each tap the last observer that had joined before: it knows those that joined later.
  private var earlierObservers: ContiguousArray<Int> = []
  private var observers: [ObjectIdentifier: Int] = [:]
  private var lastObserver = 0

  var isEmpty: Bool { taps.isEmpty }

  mutating func append(_ tap: any BusTap) {
    taps.append(tap)
    earlierObservers.append(lastObserver)
  }

  /// Returns the tap, for the caller to release outside the lock.
  mutating func remove(_ tap: any BusTap) -> (any BusTap)? {
    guard let index = taps.firstIndex(where: { $0 === tap }) else { return nil }
    if taps.count == 1 { observers = [:] }
    earlierObservers.remove(at: index)
    return taps.remove(at: index)
  }

  func note(_ record: @autoclosure () -> BusRecord) {
    guard !taps.isEmpty else { return }
    let record = record()
    for tap in taps { tap.note(record) }
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
    for (tap, earlier) in zip(taps, earlierObservers) where number > earlier {
      tap.note(BusRecord(.observerRemoved(number), at: instant))
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
