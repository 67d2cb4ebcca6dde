import LifecycleCore

/// The state machine of one countdown.
///
/// It receives commands with the moment at which they were given, and has no clock, timer or
/// subscriber.
///
/// All times are in nanoseconds; moments are those of the continuous clock. Before a mutating
/// method is called, the caller must call ``settle(at:)`` with the same moment.
struct CountdownMachine: Equatable {
  private let total: Int64
  /// The time between two ticks; 0 for no ticks.
  private let interval: Int64
  let behavior: Countdown.BackgroundBehavior
  /// The status that was requested; it stays `running` while the countdown is held in the
  /// background.
  private var status = Countdown.Status.idle
  /// A Boolean value that indicates whether the countdown is held because the process is in the
  /// background.
  private var isHeld = false
  private var isClockTrusted = true
  /// A Boolean value that indicates whether the countdown has finished, and no subscriber has
  /// received the end.
  private(set) var isEndPending = false
  /// The deadline while the countdown is counting, the moment of the end once it has finished,
  /// otherwise the remaining time.
  private var mark: Int64
  /// The remaining time that was reported last.
  private var lastReported: Int64
  /// The time of the wall clock that the countdown counts to; `CountdownHeap.none` if it counts a
  /// duration.
  private var date = CountdownHeap.none

  /// Creates an idle countdown.
  init(total: Int64, interval: Int64, behavior: Countdown.BackgroundBehavior) {
    self.total = max(total, 0)
    self.interval = max(interval, 0)
    self.behavior = behavior
    mark = self.total
    lastReported = self.total
  }

  // MARK: State

  /// The status that is reported: `paused` while a running countdown is held in the background.
  var visibleStatus: Countdown.Status {
    status == .running && !isCounting ? .paused : status
  }

  /// A Boolean value that indicates whether the remaining time decreases. A countdown to a date
  /// is never held.
  var isCounting: Bool { status == .running && (!isHeld || hasDate) }

  private var hasDate: Bool { date != CountdownHeap.none }

  /// The moment at which the countdown finishes; nil while it is not counting.
  var deadline: Int64? { isCounting ? mark : nil }

  /// Returns the remaining time, never more than was reported last: the moments of inputs come from
  /// callers and can be arbitrary.
  func remaining(at now: Int64) -> Int64 {
    switch status {
    case .finished: 0
    default: isCounting ? min(max(0, mark - now), lastReported) : mark
    }
  }

  /// Returns the exact state, whether or not it has been reported.
  func state(at now: Int64) -> Countdown.State {
    let remaining = remaining(at: now)
    let hasFinished = isCounting && remaining == 0
    return state(hasFinished ? .finished : visibleStatus, remaining)
  }

  /// Returns the moment at which the queue examines the countdown next: the next tick, or the end.
  ///
  /// `CountdownHeap.never` for a countdown that is held in the background, `CountdownHeap.none` for
  /// one that is not running.
  func wake(after now: Int64) -> Int64 {
    guard let deadline else { return status == .running ? CountdownHeap.never : CountdownHeap.none }
    guard interval > 0 else { return deadline }
    return deadline - max(0, deadline - now - 1) / interval * interval
  }

  /// Returns the moment of the change that is reported at `now`: the end, or the tick that was
  /// passed last.
  ///
  /// - Parameter wake: The end, or a tick, no later than `now`.
  func moment(dueSince wake: Int64, at now: Int64) -> Int64 {
    guard interval > 0, now - wake >= interval, let deadline, wake < deadline else { return wake }
    return now < deadline ? self.wake(after: now) - interval : deadline
  }

  // MARK: Reporting

  /// Records the end, if it has been reached.
  ///
  /// - Returns: True for the one call that recorded it.
  mutating func settle(at now: Int64) -> Bool {
    guard isCounting, mark <= now else { return false }
    finish(at: mark)
    lastReported = 0
    return true
  }

  /// Returns the state, in whole intervals while the countdown is counting: the boundary that was
  /// passed last.
  mutating func tick(at now: Int64) -> Countdown.State {
    let remaining = remaining(at: now)
    guard isCounting, interval > 0 else { return report(remaining) }
    let boundary = (remaining + interval - 1) / interval * interval
    return report(min(boundary, lastReported))
  }

  // MARK: Commands. Each returns the state to report.

  mutating func start(at now: Int64) -> Countdown.State? {
    status == .idle ? restart(at: now) : nil
  }

  /// - Parameter start: The moment from which the time counts; nil, or a later one, for now.
  mutating func restart(from start: Int64? = nil, at now: Int64) -> Countdown.State {
    isClockTrusted = true
    date = CountdownHeap.none
    return run(total - max(0, now - (start ?? now)), at: now)
  }

  /// Counts to a time of the wall clock, unless it does so already, or has ended at it.
  mutating func start(until date: Int64, wallOffset: Int64, at now: Int64) -> Countdown.State? {
    let isIdle = status == .idle || status == .paused
    guard isIdle || date != self.date else { return nil }
    isClockTrusted = false
    self.date = date
    return run(Self.end(at: date, wallOffset) - now, at: now)
  }

  /// Moves the end of a countdown to a date, if the wall clock was set.
  ///
  /// - Parameter wallOffset: The time of the wall clock when the continuous clock shows zero.
  /// - Returns: Whether the end has moved.
  mutating func follow(wallOffset: Int64) -> Bool {
    guard status == .running, hasDate else { return false }
    let end = Self.end(at: date, wallOffset)
    // The two clocks are not read at the same moment.
    guard abs(end - mark) >= Self.leastShift else { return false }
    mark = end
    lastReported = .max
    return true
  }

  static let leastShift: Int64 = 1_000_000

  private static func end(at date: Int64, _ wallOffset: Int64) -> Int64 {
    let limit: Int64 = 1 << 61
    return min(max(date - wallOffset, -limit), limit)
  }

  mutating func pause(at now: Int64) -> Countdown.State? {
    guard status == .running, !hasDate else { return nil }
    return stop(as: .paused, remaining(at: now))
  }

  mutating func resume(at now: Int64) -> Countdown.State? {
    status == .paused ? run(mark, at: now) : nil
  }

  /// Moves the end of a running or paused countdown, and finishes it if no time is left.
  mutating func extend(by time: Int64, at now: Int64) -> Countdown.State? {
    guard status == .running || status == .paused else { return nil }
    let remaining = min(max(remaining(at: now) + time, 0), 1 << 61)
    if hasDate { date = min(max(date, -1 << 61) + time, 1 << 61) }
    if remaining == 0 { finish(at: now) } else { mark = isCounting ? now + remaining : remaining }
    return report(remaining)
  }

  mutating func reset() -> Countdown.State? {
    guard status != .idle else { return nil }
    isClockTrusted = true
    date = CountdownHeap.none
    return stop(as: .idle, total)
  }

  // MARK: The background

  /// Records that the process is in the background.
  mutating func enterBackground(at now: Int64) -> Countdown.State? {
    guard behavior == .pause, !isHeld else { return nil }
    let wasRunning = status == .running && !hasDate
    if wasRunning { mark = remaining(at: now) }
    isHeld = true
    return wasRunning ? report(mark) : nil
  }

  /// Records that the process is in the foreground again.
  ///
  /// The state to report then is a tick.
  mutating func enterForeground(at now: Int64) {
    guard isHeld else { return }
    isHeld = false
    if status == .running, !hasDate { mark += now }
  }

  // MARK: Another process

  /// Returns the countdown in the form in which it is stored.
  ///
  /// A countdown that is held continues when the next process is in the foreground.
  ///
  /// - Parameter isInForeground: Whether the process is known to be in the foreground. The
  ///   countdown may not have been notified of it yet.
  func savedState(
    at now: LifecycleInstant,
    boot: BootID?,
    isInForeground: Bool
  ) -> Countdown.SavedState {
    let time = now.continuous.timeSinceBoot.nanoseconds
    let state = state(at: time)
    let hasFinished = state.status == .finished
    let isRunning = status == .running && !hasFinished
    let hasEnd = isRunning && (behavior != .pause || isInForeground || hasDate) || hasFinished
    let end = isRunning && !isCounting ? time + mark : mark
    return Countdown.SavedState(
      duration: .nanoseconds(total),
      status: hasFinished ? .finished : status,
      remaining: state.remaining,
      deadline: hasEnd
        ? Countdown.SavedState.Deadline(
          continuous: ContinuousInstant(timeSinceBoot: .nanoseconds(end)),
          timeSince1970: now.timeSince1970.clamped + .nanoseconds(end - time),
          bootID: boot,
          date: hasDate ? .sinceWallReference(date) : nil
        ) : nil,
      isClockTrusted: isClockTrusted,
      isEndPending: isEndPending || hasFinished && isCounting
    )
  }

  /// Continues from the state of another process.
  ///
  /// - Parameter remaining: The remaining time; if negative, the time since the end.
  mutating func restore(
    _ saved: Countdown.SavedState,
    remaining: Duration,
    isClockTrusted: Bool,
    at now: Int64
  ) -> Countdown.State {
    self.isClockTrusted = isClockTrusted
    date = saved.deadline?.date?.nanosecondsSinceWallReference ?? CountdownHeap.none
    let remaining = remaining.nanosecondsRoundedUp
    switch saved.status {
    case .running: return run(remaining, at: now)
    case .paused: return stop(as: .paused, max(remaining, 0))
    case .idle: return stop(as: .idle, total)
    case .finished:
      let state = run(min(remaining, 0), at: now)
      isEndPending = saved.isEndPending
      return state
    }
  }

  /// Records that a subscriber receives the end.
  mutating func didReceiveEnd() {
    isEndPending = false
  }

  private mutating func finish(at moment: Int64) {
    status = .finished
    isEndPending = true
    mark = moment
  }

  private mutating func stop(as status: Countdown.Status, _ remaining: Int64) -> Countdown.State {
    self.status = status
    isEndPending = false
    mark = remaining
    return report(remaining)
  }

  private mutating func run(_ remaining: Int64, at now: Int64) -> Countdown.State {
    status = .running
    isEndPending = false
    if remaining > 0 {
      mark = isCounting ? now + remaining : remaining
    } else {
      finish(at: now + remaining)
    }
    return report(max(remaining, 0))
  }

  private mutating func report(_ remaining: Int64) -> Countdown.State {
    lastReported = remaining
    return state(visibleStatus, remaining)
  }

  private func state(_ status: Countdown.Status, _ remaining: Int64) -> Countdown.State {
    Countdown.State(
      status: status,
      remaining: .nanoseconds(remaining),
      isClockTrusted: isClockTrusted,
      endedAt: status == .finished ? ContinuousInstant(timeSinceBoot: .nanoseconds(mark)) : nil
    )
  }
}

extension LifecycleInstant {
  /// The time of the wall clock when the continuous clock shows zero, in nanoseconds.
  var wallOffset: Int64 {
    timeSince1970.nanosecondsSinceWallReference - continuous.timeSinceBoot.nanoseconds
  }
}

extension Duration {
  /// A moment in 2038, so that 73 years before and after it reach far enough.
  private static let wallReference = Duration.seconds(1 << 31)

  /// The time since 1970 as nanoseconds from a later moment.
  var nanosecondsSinceWallReference: Int64 { (clamped - Self.wallReference).nanoseconds }

  static func sinceWallReference(_ nanoseconds: Int64) -> Duration {
    .nanoseconds(nanoseconds) + wallReference
  }

  /// The duration in whole nanoseconds, rounded down, within ±2⁶¹ (73 years), so that sums and
  /// differences of two do not overflow.
  ///
  /// It takes half the size of a `Duration`, and a countdown stores several.
  var nanoseconds: Int64 { nanoseconds(roundedUp: false) }

  /// The duration in whole nanoseconds, rounded up, within the same bounds.
  var nanosecondsRoundedUp: Int64 { nanoseconds(roundedUp: true) }

  @inline(__always)
  private func nanoseconds(roundedUp: Bool) -> Int64 {
    let limit: Int64 = 1 << 61
    let (seconds, attoseconds) = clamped.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? -limit : limit }
    // Both components have the sign of the duration, and this division truncates.
    let (part, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let step: Int64 = roundedUp ? (rest > 0 ? 1 : 0) : (rest < 0 ? -1 : 0)
    let sum = min(max(whole, -2 * limit), 2 * limit - 1) + part + step
    return min(max(sum, -limit), limit)
  }
}
