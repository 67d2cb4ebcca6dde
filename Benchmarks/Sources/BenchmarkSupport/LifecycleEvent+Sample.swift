import ReactiveLifecycle

extension LifecycleInstant {
  /// A fixed instant, so that no clock is read.
  public static let sample = LifecycleInstant(
    continuous: .seconds(1),
    suspending: .seconds(1),
    wall: .seconds(1)
  )
}

extension LifecycleEvent {
  /// What the peers send.
  public static let sample = LifecycleEvent(
    kind: .didReceiveMemoryWarning,
    previousPhase: .active,
    phase: .active,
    sequenceNumber: 1,
    instant: .sample,
    origin: .manual
  )
}
