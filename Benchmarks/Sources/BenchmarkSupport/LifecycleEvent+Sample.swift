import ReactiveLifecycle

extension LifecycleInstant {
  /// A fixed instant, so that no clock is read.
  public static let sample = LifecycleInstant(
    continuous: .boot + .seconds(1),
    timeAwake: .seconds(1),
    timeSince1970: .seconds(1)
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
