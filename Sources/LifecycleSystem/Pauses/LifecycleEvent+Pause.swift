public import ReactiveLifecycle

extension LifecycleEvent {
  package static let timePausedKey = "timePaused"
  package static let pauseCauseKey = "pauseCause"

  /// The time for which the process was paused, without sleep of the machine; nil unless a
  /// ``ProcessPauseSource`` sent the event and knows it.
  ///
  /// - Complexity: O(1).
  public var timePaused: Duration? { metadataDuration(Self.timePausedKey) }

  /// The cause of a pause of the process; nil unless a ``ProcessPauseSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var pauseCause: ProcessPauseCause? {
    metadata[Self.pauseCauseKey].flatMap(ProcessPauseCause.init)
  }
}
