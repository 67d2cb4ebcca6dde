/// The bus's reports about itself. Thread-safe.
extension LifecycleBusCore {
  package var phase: LifecyclePhase { delivered.phase }

  /// The opening under way; nil unless the delivered phase is in the foreground.
  package var opening: LifecycleOpening? { read { $0.opening } }

  /// The state after the last event that was delivered to the observers.
  package var delivered: DeliveredState { read { $0.delivered } }

  /// A Boolean value that indicates whether the streams have ended.
  package var hasEnded: Bool { read { $0.isFinished } }

  /// A Boolean value that indicates whether `willTerminate` was accepted, and may not have been
  /// delivered yet.
  package var hasAcceptedTermination: Bool { read { $0.hasAcceptedTermination } }

  /// The instant of the first phase that observers were notified of; nil before the launch.
  package var launch: ContinuousInstant? { read { $0.launch } }

  /// Returns the opening that an observer receives at an event, which is the one in delivery or
  /// given to catch up; nil if it receives none.
  func opening(of event: LifecycleEvent, _ filter: OpeningFilter) -> LifecycleOpening? {
    read { $0.opening(of: event, filter) }
  }

  var liveRows: [ObserverRow] { read { $0.liveRows } }

  private func report(_ rows: [ObserverRow]) -> [LiveSubscription] {
    let now = clock.continuous
    return rows.filter(\.isListed).map {
      LiveSubscription(location: $0.location, age: now - $0.registered)
    }
  }

  /// The observer that is being called; nil when none is.
  package var runningObserver: LifecycleObserverLocation? { runningRow?.runningLocation }

  /// The call of an observer with an event that the calling thread is in. Nil if the bus delivers
  /// on any thread, as it does not know which one, and for a listener, which may call several
  /// observers, or one several times.
  var runningCall: ObserverCall? {
    guard deliversOnlyHere, let row = runningRow, row.table == .events, !(row is ListenerRow),
      let sequenceNumber = read({ $0.sequenceNumberInDelivery })
    else { return nil }
    return ObserverCall(row: ObjectIdentifier(row), sequenceNumber: sequenceNumber)
  }

  package var diagnostics: LifecycleDiagnostics {
    let state = snapshot
    return LifecycleDiagnostics(
      phase: state.phase,
      participants: state.aggregate.diagnosedParticipants,
      ceilings: state.aggregate.diagnosedCeilings,
      suppressedCounts: state.suppressedCounts,
      liveSubscriptions: report(state.liveRows),
      isDelivering: state.isDelivering,
      runningObserver: state.runningRow?.runningLocation
    )
  }
}

/// The call of an observer with an event, of which there is only one.
struct ObserverCall: Equatable {
  let row: ObjectIdentifier
  let sequenceNumber: Int
}
