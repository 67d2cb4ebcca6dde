/// Taps: receivers of everything that the bus accepts.
///
/// A bus that has none pays for them one test each time an input is accepted or an observer joins.
extension DispatchMachine {
  mutating func addTap(_ tap: any BusTap, at instant: LifecycleInstant) {
    tap.begin(
      at: instant,
      with: BusState(
        phase: phaseMachine.phase,
        ownPhase: phaseMachine.aggregate.ownPhase,
        sources: phaseMachine.aggregate.sources.map(busSource)
      )
    )
    taps.append(tap)
  }

  /// Returns the tap, for the caller to release outside the lock.
  mutating func removeTap(_ tap: any BusTap) -> (any BusTap)? {
    taps.remove(tap)
  }

  func noteConnection(
    of source: Int,
    _ registration: PhaseAggregate.Registration,
    at instant: LifecycleInstant
  ) {
    let connected = phaseMachine.aggregate.sources.last { $0.id == source }
    let noted =
      connected.map(busSource)
      ?? BusSource(
        id: source,
        name: registration.name,
        role: registration.role,
        whole: registration.whole,
        phase: .unknown
      )
    taps.note(BusRecord(.connected(noted), at: instant))
    // A part of a source that is no longer connected.
    if connected == nil { taps.note(BusRecord(.disconnected(source: source), at: instant)) }
  }

  func noteDisconnection(of source: Int, at instant: LifecycleInstant) {
    for id in phaseMachine.aggregate.sourceAndParts(of: source) {
      taps.note(BusRecord(.disconnected(source: id), at: instant))
    }
  }

  private func busSource(_ source: PhaseAggregate.Source) -> BusSource {
    BusSource(
      id: source.id,
      name: source.name,
      role: source.role,
      whole: source.whole,
      phase: phaseMachine.aggregate.phase(of: source)
    )
  }

  /// Notes that an observer has joined, unless it has left already.
  mutating func noteJoining(
    of row: ObserverRow,
    _ location: LifecycleObserverLocation,
    at instant: LifecycleInstant
  ) {
    guard !taps.isEmpty, row.isLive else { return }
    taps.noteJoining(row, location, at: instant)
  }
}
