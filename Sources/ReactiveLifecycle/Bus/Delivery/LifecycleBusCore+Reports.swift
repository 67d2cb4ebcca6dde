import LifecycleSupport

/// The bus's reports about itself. Thread-safe.
extension LifecycleBusCore {
  package var phase: LifecyclePhase { delivered.phase }

  /// The state after the last event that was delivered to the observers.
  package var delivered: DeliveredState {
    machine.withLock { $0.delivered }
  }

  /// A Boolean value that indicates whether the streams have ended.
  package var hasEnded: Bool {
    machine.withLock { $0.isFinished }
  }

  /// A Boolean value that indicates whether `willTerminate` was accepted, and may not have been
  /// delivered yet.
  package var hasAcceptedTermination: Bool {
    machine.withLock { $0.hasAcceptedTermination }
  }

  /// The instant of the first phase that observers were notified of; nil before the launch.
  package var launch: ContinuousInstant? {
    machine.withLock { $0.launch }
  }

  package func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    machine.withLock { $0.suppressedCount(reason) }
  }

  var liveSubscriptions: [LiveSubscription] {
    report(machine.withLock { $0.liveRows })
  }

  private func report(_ rows: [ObserverRow]) -> [LiveSubscription] {
    let now = clock.continuous
    return rows.filter(\.isListed).map {
      LiveSubscription(location: $0.location, age: now - $0.registered)
    }
  }

  /// The observer that is being called; nil when none is.
  package var runningObserver: LifecycleObserverLocation? {
    machine.withLock { _ in running.current }?.runningLocation
  }

  var diagnostics: LifecycleDiagnostics {
    let (state, row) = machine.withLock { ($0.snapshot, running.current) }
    return LifecycleDiagnostics(
      phase: state.phase,
      participants: state.aggregate.diagnosedParticipants,
      ceilings: state.aggregate.diagnosedCeilings,
      suppressedCounts: state.suppressedCounts,
      liveSubscriptions: report(state.liveRows),
      isDelivering: state.isDelivering,
      runningObserver: row?.runningLocation
    )
  }
}
