public import ReactiveLifecycle

extension LifecycleEvent {
  static let timeAsleepKey = "timeAsleep"
  static let clockShiftKey = "clockShift"

  /// The time for which the machine slept, from the metadata that ``SystemClockSource`` adds; nil
  /// if the event has none.
  public var timeAsleep: Duration? { metadataDuration(Self.timeAsleepKey) }

  /// The distance by which the wall clock was set forward, negative if it was set back, from the
  /// metadata that ``SystemClockSource`` adds; nil if the event has none.
  public var clockShift: Duration? { metadataDuration(Self.clockShiftKey) }
}
