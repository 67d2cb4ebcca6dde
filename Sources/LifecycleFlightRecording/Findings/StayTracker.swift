import ReactiveLifecycle

/// Follows the stays in the background, also one that began before the recording, or that no return
/// ends.
struct StayTracker {
  /// The instant at which the current stay began, or from which on it is recorded.
  private var start: LifecycleInstant?
  /// The part of the current stay that is recorded, before records that are missing.
  private var part: BackgroundStay?

  init(_ start: FlightRecording.Start) {
    begin(start)
  }

  private mutating func begin(_ start: FlightRecording.Start) {
    if start.phase == .background { self.start = start.instant }
  }

  /// Returns the stay that an event ends.
  mutating func take(_ event: LifecycleEvent, at instant: LifecycleInstant) -> BackgroundStay? {
    switch event.phase {
    case .inactive, .active:
      // The bus may know more of it than the records do, or nothing, if no stay had begun.
      start = nil
      return longer(event.backgroundStay, part.take())
    case .terminated: return end(at: instant)
    case .background:
      if event.kind == .didEnterBackground { start = instant }
      return nil
    case .unknown: return nil
    }
  }

  /// Returns the stay that ends with the bus or the recording, as long as it was until then.
  mutating func end(at instant: LifecycleInstant) -> BackgroundStay? {
    longer(start.take().map { BackgroundStay(from: $0, to: instant) }, part.take())
  }

  /// Takes note that records are missing, in which the process may have returned.
  ///
  /// - Returns: The stay that ended in between, as long as it was recorded.
  mutating func skip(
    from last: LifecycleInstant,
    to next: FlightRecording.Start
  ) -> BackgroundStay? {
    let recorded = end(at: last)
    guard next.phase == .background else { return recorded }
    part = recorded
    begin(next)
    return nil
  }

  private func longer(_ first: BackgroundStay?, _ second: BackgroundStay?) -> BackgroundStay? {
    guard let first, let second else { return first ?? second }
    return first.duration >= second.duration ? first : second
  }
}
