/// Observations: closures that are called, in their turn, when the bus begins to be observed, and
/// when it is observed no longer.
///
/// On a bus that has none, no row does anything for them. While there is one, the rows have the
/// table `observedEvents`.
extension DispatchMachine {
  /// Returns the number of the observation; nil if the streams have ended.
  mutating func addObservation(
    of kinds: LifecycleEvent.Kinds,
    _ body: @escaping ObservationTable.Body
  ) -> Int? {
    guard !isFinished else { return nil }
    let rows = observers.rows.filter { !$0.isNotedDead && !($0 is TranscriptRow) }
    for row in rows { row.table = .observedEvents }
    let (id, call) = observations.append(kinds, observed: rows.map(\.kinds), body)
    updateSpecialWays()
    if let call { add([call]) }
    return id
  }

  /// - Returns: The closure, for the caller to release outside the lock.
  mutating func removeObservation(_ id: Int) -> ObservationTable.Body? {
    defer { updateSpecialWays() }
    return observations.remove(id)
  }

  mutating func noteJoining(_ row: ObserverRow) {
    // A test's transcript is no observer.
    guard !(row is TranscriptRow) else { return }
    row.table = .observedEvents
    add(observations.observerDidJoin(row.kinds))
  }

  mutating func noteLeaving(_ row: ObserverRow) -> ContiguousArray<ObserverRow> {
    // Otherwise the streams have ended.
    if row.isInTable { add(observations.observerDidLeave(row.kinds)) }
    return observers.noteDead(row, isShared: isDelivering)
  }

  private mutating func add(_ calls: [ObservationTable.Call]) {
    for call in calls { addCall { call.body(call.id) } }
  }
}
