public import ReactiveLifecycle

extension LifecycleEvent {
  /// The keys of the metadata that the sources of this module add.
  enum SystemKey {
    static let timeAsleep = "timeAsleep"
    static let clockShift = "clockShift"
    static let timePaused = "timePaused"
    static let pauseCause = "pauseCause"
    static let memoryPressure = "memoryPressure"
  }

  /// The time for which the machine slept; nil unless a ``SystemClockSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var timeAsleep: Duration? { duration(SystemKey.timeAsleep) }

  /// The distance by which the wall clock was set forward, negative if it was set back; nil unless
  /// a ``SystemClockSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var clockShift: Duration? { duration(SystemKey.clockShift) }

  /// The time for which the process was paused, without sleep of the machine; nil unless a
  /// ``ProcessPauseSource`` sent the event and knows it.
  ///
  /// - Complexity: O(1).
  public var timePaused: Duration? { duration(SystemKey.timePaused) }

  /// The cause of a pause of the process; nil unless a ``ProcessPauseSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var pauseCause: ProcessPauseCause? {
    metadata[SystemKey.pauseCause].flatMap(ProcessPauseCause.init)
  }

  /// The level of a memory warning; nil unless a ``MemoryPressureSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var memoryPressure: MemoryPressureLevel? {
    metadata[SystemKey.memoryPressure].flatMap(MemoryPressureLevel.init)
  }

  private func duration(_ key: String) -> Duration? {
    metadata[key].flatMap { Duration(seconds: $0) }
  }
}
