import ReactiveLifecycle

/// The latest readings of the clocks, which tells sleep and changes of the wall clock from the
/// passage of time.
struct ClockReadings {
  private var latest: LifecycleInstant

  init(_ instant: LifecycleInstant) {
    latest = instant
  }

  /// Returns how long the machine slept, and by how much the wall clock was set, since the latest
  /// readings; nil for what did not happen.
  ///
  /// The network corrects a wall clock by up to 0.05 %, without setting it. Readings that are
  /// earlier than the latest ones are ignored: a report can arrive late.
  mutating func read(_ instant: LifecycleInstant) -> (asleep: Duration?, shift: Duration?) {
    let elapsed = latest.duration(to: instant)
    guard elapsed >= .zero else { return (nil, nil) }
    let asleep = elapsed - (instant.timeAwake.clamped - latest.timeAwake.clamped)
    let shift = instant.timeSince1970.clamped - latest.timeSince1970.clamped - elapsed
    latest = instant
    let tolerance = max(.seconds(1), elapsed / 1000)
    return (
      asleep >= .seconds(1) ? asleep : nil,
      max(shift, .zero - shift) >= tolerance ? shift : nil
    )
  }
}
