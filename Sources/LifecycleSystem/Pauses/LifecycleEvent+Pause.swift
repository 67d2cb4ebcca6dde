public import ReactiveLifecycle

extension LifecycleEvent {
  package static let timePausedKey = "timePaused"
  package static let pauseCauseKey = "pauseCause"

  /// The time for which the process was paused, without sleep of the machine, from the metadata
  /// that ``ProcessPauseSource`` adds if it knows the time; nil if the event has none.
  public var timePaused: Duration? { metadataDuration(Self.timePausedKey) }

  /// The cause of a pause of the process, from the metadata that ``ProcessPauseSource`` adds; nil
  /// if the event has none.
  public var pauseCause: ProcessPauseCause? {
    metadata[Self.pauseCauseKey].flatMap(ProcessPauseCause.init)
  }
}
