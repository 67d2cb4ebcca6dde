import ReactiveLifecycle

/// One countdown, which is told what is asked of it, and when. It knows no clock, no timer and no
/// subscriber.
///
/// All times are nanoseconds, moments those of the continuous clock. Whoever calls a method that
/// changes something has called ``settle(at:)`` with the same moment before.
struct CountdownMachine: Equatable {
  private let total: Int64
  /// Of the ticks; 0 for none.
  private let interval: Int64
  let behavior: Countdown.BackgroundBehavior
  /// What it was asked to do; `running` also while the background holds it.
  private var status = Countdown.Status.idle
  /// Whether it rests because the process is in the background.
  private var isHeld = false
  private var isClockTrusted = true
  /// The deadline while it counts; what remains while it doesn't.
  private var mark: Int64
  /// What was told last to remain.
  private var told: Int64

  /// An idle countdown.
  init(total: Int64, interval: Int64, behavior: Countdown.BackgroundBehavior) {
    self.total = max(total, 0)
    self.interval = max(interval, 0)
    self.behavior = behavior
    mark = self.total
    told = self.total
  }

  // MARK: What it is

  /// Whether time brings it nearer to its end.
  var isCounting: Bool { status == .running && !isHeld }

  /// When it finishes; nil while it doesn't count.
  var deadline: Int64? { isCounting ? mark : nil }

  /// Never more than was told: the moments of inputs are said by others, and may lie anywhere.
  func remaining(at now: Int64) -> Int64 {
    isCounting ? min(max(0, mark - now), told) : mark
  }

  /// Exactly how it stands, whether or not anybody has been told.
  func state(at now: Int64) -> Countdown.State {
    let remaining = remaining(at: now)
    let hasFinished = isCounting && remaining == 0
    return state(hasFinished ? .finished : visibleStatus, remaining)
  }

  /// When the queue is to look at it: at the next tick, or at the end. `CountdownHeap.never` for one
  /// that the background holds, `CountdownHeap.none` for one that does not run.
  func wake(after now: Int64) -> Int64 {
    guard let deadline else { return status == .running ? CountdownHeap.never : CountdownHeap.none }
    guard interval > 0 else { return deadline }
    return deadline - max(0, deadline - now - 1) / interval * interval
  }

  /// When what is told at a moment happened: the end, or the tick that was passed last.
  ///
  /// - Parameter wake: The end, or a tick, no later than `now`.
  func moment(dueSince wake: Int64, at now: Int64) -> Int64 {
    guard interval > 0, now - wake >= interval, let deadline, wake < deadline else { return wake }
    return now < deadline ? self.wake(after: now) - interval : deadline
  }

  // MARK: What is told

  /// Takes note of the end, if that has come. True for the one call that did.
  mutating func settle(at now: Int64) -> Bool {
    guard isCounting, mark <= now else { return false }
    status = .finished
    mark = 0
    told = 0
    return true
  }

  /// How it stands, in whole intervals while it counts: the boundary that was passed last.
  mutating func tick(at now: Int64) -> Countdown.State {
    let remaining = remaining(at: now)
    guard isCounting, interval > 0 else { return tell(remaining) }
    let boundary = (remaining + interval - 1) / interval * interval
    return tell(min(boundary, told))
  }

  // MARK: What is asked of it. Each returns what is to be told.

  mutating func start(at now: Int64) -> Countdown.State? {
    status == .idle ? restart(at: now) : nil
  }

  mutating func restart(at now: Int64) -> Countdown.State {
    isClockTrusted = true
    return run(total, at: now)
  }

  mutating func pause(at now: Int64) -> Countdown.State? {
    guard status == .running else { return nil }
    return stay(.paused, remaining(at: now))
  }

  mutating func resume(at now: Int64) -> Countdown.State? {
    status == .paused ? run(mark, at: now) : nil
  }

  /// What that takes away the last of the time finishes it.
  mutating func extend(by time: Int64, at now: Int64) -> Countdown.State? {
    guard status == .running || status == .paused else { return nil }
    let remaining = min(max(remaining(at: now) + time, 0), 1 << 61)
    if remaining == 0 { status = .finished }
    mark = isCounting ? now + remaining : remaining
    return tell(remaining)
  }

  mutating func cancel() -> Countdown.State? {
    guard status != .idle else { return nil }
    isClockTrusted = true
    return stay(.idle, total)
  }

  // MARK: The background

  /// The process is in the background.
  mutating func enterBackground(at now: Int64) -> Countdown.State? {
    guard behavior == .pause, !isHeld else { return nil }
    let wasRunning = status == .running
    mark = remaining(at: now)
    isHeld = true
    return wasRunning ? tell(mark) : nil
  }

  /// The process is in the foreground again. What is to be told then is a tick.
  mutating func enterForeground(at now: Int64) {
    guard isHeld else { return }
    isHeld = false
    if status == .running { mark += now }
  }

  // MARK: Another process

  /// The countdown as it is stored. One that is held goes on when the next process is in the
  /// foreground.
  func record(at now: LifecycleInstant, boot: BootID?) -> Countdown.Record {
    let state = state(at: now.continuous.timeSinceBoot.nanoseconds)
    let isRunning = state.status == .running
    return Countdown.Record(
      duration: .nanoseconds(total),
      status: status == .running && isHeld ? .running : state.status,
      remaining: state.remaining,
      deadline: isRunning
        ? Countdown.Record.Deadline(
          continuous: ContinuousInstant(timeSinceBoot: .nanoseconds(mark)),
          timeSince1970: now.timeSince1970.clamped + state.remaining,
          bootID: boot
        ) : nil,
      isClockTrusted: isClockTrusted
    )
  }

  /// Goes on where another process left off.
  mutating func restore(
    _ status: Countdown.Status,
    remaining: Int64,
    isClockTrusted: Bool,
    at now: Int64
  ) -> Countdown.State {
    self.isClockTrusted = isClockTrusted
    switch status {
    case .running: return run(remaining, at: now)
    case .paused: return stay(.paused, remaining)
    case .idle: return stay(.idle, total)
    case .finished: return stay(.finished, 0)
    }
  }

  private mutating func stay(_ status: Countdown.Status, _ remaining: Int64) -> Countdown.State {
    self.status = status
    mark = remaining
    return tell(remaining)
  }

  private mutating func run(_ remaining: Int64, at now: Int64) -> Countdown.State {
    status = remaining == 0 ? .finished : .running
    mark = isCounting ? now + remaining : remaining
    return tell(remaining)
  }

  private mutating func tell(_ remaining: Int64) -> Countdown.State {
    told = remaining
    return state(visibleStatus, remaining)
  }

  private var visibleStatus: Countdown.Status {
    status == .running && isHeld ? .paused : status
  }

  private func state(_ status: Countdown.Status, _ remaining: Int64) -> Countdown.State {
    Countdown.State(
      status: status,
      remaining: .nanoseconds(remaining),
      isClockTrusted: isClockTrusted
    )
  }
}
