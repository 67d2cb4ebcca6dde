/// The bus's history of phases.
///
/// All instants belong to the continuous clock of the bus: ``LifecycleClock/continuous``, or an
/// event's `instant.continuous`. A phase begins at the instant of the event that caused it and
/// lasts until the next one begins; the last one lasts until now. An instant at which the phase
/// changed belongs to the new phase. The history contains the phases that observers were notified
/// of; after `willTerminate` the phase is `terminated` forever.
///
/// The history never runs backward: an event whose instant lies before that of an earlier one
/// counts as being at the same instant. Of several phases at one instant the last one counts.
///
/// The bus keeps the last 128 changes of phase, where the changes at one instant count as one. They
/// take 3 KB on each bus, in one block, from its first change on. Notices are not kept. To cover a
/// longer time, sum up the durations of the stays in the background as they end, in `onReturn`.
extension LifecycleBusProtocol {
  /// The earliest instant with a known phase: that of the first change in the history; nil before
  /// the first change of all. Thread-safe.
  public var historyStart: ContinuousInstant? {
    core.historyStart
  }

  /// Returns the phase that the process was in at an instant. Thread-safe.
  ///
  /// ```swift
  /// let left = clock.continuous
  /// bus.send(.didEnterBackground)
  /// clock.advance(by: .seconds(60))
  /// bus.send(.didBecomeActive)
  /// print(bus.phase(at: left + .seconds(59))!)  // background
  /// print(bus.phase(at: left + .seconds(60))!)  // active
  /// ```
  ///
  /// - Parameter instant: An instant of the continuous clock.
  /// - Returns: The phase; nil for an instant in the future or before ``historyStart``.
  /// - Complexity: O(log *n*) in the changes in the history.
  public func phase(at instant: ContinuousInstant) -> LifecyclePhase? {
    core.phase(at: instant)
  }

  /// Returns the time that the process was in the foreground (`inactive` or `active`) during a
  /// range. Thread-safe.
  ///
  /// ```swift
  /// let now = clock.continuous
  /// if let used = bus.foregroundDuration(during: now - .seconds(600)..<now) {
  ///   print("in use for \(used) of the last ten minutes")
  /// }
  /// ```
  ///
  /// - Parameter range: Two instants of the continuous clock. The part of it that lies in the
  ///   future is not counted.
  /// - Returns: The sum; nil if the range begins before ``historyStart``, as a long range does
  ///   after 128 changes of phase.
  /// - Complexity: O(*n*) in the changes in the history.
  public func foregroundDuration(during range: Range<ContinuousInstant>) -> Duration? {
    core.duration(of: .foreground, during: range)
  }

  /// Returns the time that the process was in the background during a range. Thread-safe.
  ///
  /// ```swift
  /// if let start = bus.historyStart {
  ///   print("away for \(bus.backgroundDuration(during: start..<clock.continuous)!) in all")
  /// }
  /// ```
  ///
  /// - Parameter range: Two instants of the continuous clock. The part of it that lies in the
  ///   future is not counted.
  /// - Returns: The sum; nil if the range begins before ``historyStart``, as a long range does
  ///   after 128 changes of phase.
  /// - Complexity: O(*n*) in the changes in the history.
  public func backgroundDuration(during range: Range<ContinuousInstant>) -> Duration? {
    core.duration(of: .background, during: range)
  }
}
