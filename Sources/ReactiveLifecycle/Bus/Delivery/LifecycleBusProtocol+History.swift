/// What the bus remembers of its phases.
///
/// All instants are those of the continuous clock of the bus: ``LifecycleClock/continuous``, or an
/// event's `instant.continuous`. A phase begins at the instant of the event that brought it and lasts
/// until the next one begins, the last one until now; an instant at which the phase changed belongs to
/// the new phase. Phases are those that observers were told of; after `willTerminate` the phase is
/// `terminated` for ever.
///
/// The history never runs back: an event whose instant lies before that of an earlier one counts as
/// being at the same instant. Of several phases at one instant the last one counts.
///
/// The last 128 changes of phase are remembered, those at one instant being one. They take 3 KB on each
/// bus, in one piece, from its first change on. Notices are not remembered.
extension LifecycleBusProtocol {
  /// From when on there are answers: the first change of phase that is remembered; nil before the
  /// first of all. Any thread.
  public var historyStart: ContinuousInstant? {
    core.historyStart
  }

  /// The phase that the process was in at an instant. Any thread; O(log n) in the changes remembered.
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
  public func phase(at instant: ContinuousInstant) -> LifecyclePhase? {
    core.phase(at: instant)
  }

  /// For how long the process was in sight during a time: `inactive` or `active`. Any thread; O(n) in
  /// the changes remembered.
  ///
  /// ```swift
  /// let now = clock.continuous
  /// if let used = bus.foregroundDuration(during: now - .seconds(600)..<now) {
  ///   print("in use for \(used) of the last ten minutes")
  /// }
  /// ```
  ///
  /// - Parameter range: Two instants of the continuous clock. What of it lies in the future counts as
  ///   nothing.
  /// - Returns: The sum; nil if the range begins before ``historyStart``.
  public func foregroundDuration(during range: Range<ContinuousInstant>) -> Duration? {
    core.duration(of: .foreground, during: range)
  }

  /// For how long the process was in the background during a time. Any thread; O(n) in the changes
  /// remembered.
  ///
  /// ```swift
  /// if let start = bus.historyStart {
  ///   print("away for \(bus.backgroundDuration(during: start..<clock.continuous)!) in all")
  /// }
  /// ```
  ///
  /// - Parameter range: Two instants of the continuous clock. What of it lies in the future counts as
  ///   nothing.
  /// - Returns: The sum; nil if the range begins before ``historyStart``.
  public func backgroundDuration(during range: Range<ContinuousInstant>) -> Duration? {
    core.duration(of: .background, during: range)
  }
}
