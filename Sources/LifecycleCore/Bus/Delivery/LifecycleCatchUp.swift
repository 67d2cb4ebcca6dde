/// The past events that a late observer receives.
///
/// Catch-up events have the origin ``LifecycleEvent/Origin/catchUp``, the number and the instant of
/// the last delivered event, and no stay. The observer receives only those of the kinds that it
/// observes.
@nonexhaustive
public enum LifecycleCatchUp: Sendable, Hashable, CaseIterable {
  /// No events.
  case nothing
  /// The last upward step to the current phase: `didBecomeActive` when the process is active.
  case currentPhase
  /// Every upward step to the current phase, from `didFinishLaunching` on.
  case path

  /// Returns the catch-up events for an observer that joins when `delivered` is the latest state.
  func events(after delivered: DeliveredState) -> [LifecycleEvent] {
    let steps =
      switch self {
      case .nothing: delivered.phase.upwardPath.prefix(0)
      case .currentPhase: delivered.phase.upwardPath.suffix(1)
      case .path: delivered.phase.upwardPath
      }
    return steps.map {
      LifecycleEvent(
        kind: $0.kind,
        previousPhase: $0.origin,
        phase: $0.target,
        sequenceNumber: delivered.sequenceNumber,
        instant: delivered.instant,
        origin: .catchUp
      )
    }
  }
}
