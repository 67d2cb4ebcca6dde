/// A state machine that tells pauses of the process from what looks like them.
///
/// Its inputs are what the process notices when it continues; its clock does not count sleep. It
/// knows no thread and no file, so that a test can try every sequence of inputs.
struct PauseMachine: Hashable, Sendable {
  typealias Instant = SuspendingClock.Instant

  /// An observation of the process.
  enum Input: Hashable, Sendable {
    /// The deadline has passed.
    case deadline
    /// A `SIGCONT` has continued the process after a `SIGSTOP`.
    case continued
    /// The process continues after a stop that was announced.
    case resumed
    /// The control group has thawed; with the time that it was frozen since it exists, where the
    /// kernel counts it.
    case thawed(total: Duration?)
  }

  /// A pause that has ended.
  struct Pause: Hashable, Sendable {
    var cause: ProcessPauseCause
    /// The duration; nil if it is unknown.
    var time: Duration?
  }

  private struct Gap: Hashable, Sendable {
    var time: Duration
    var until: Instant
  }

  /// The time in which a cause may show up after a gap has been noticed.
  static let patience = Duration.milliseconds(200)
  /// The time in which the kernel may report one thaw twice.
  static let echo = Duration.milliseconds(100)

  private let heartbeat: Duration?
  /// The last instant at which the process was certainly running.
  private var lastSeen: Instant
  /// A gap without a cause, and the instant until which one may show up.
  private var gap: Gap?
  private var lastThaw: Instant?
  private var frozenTime: Duration?

  /// Creates a machine.
  ///
  /// - Parameters:
  ///   - heartbeat: The interval of the deadlines; nil for none.
  ///   - frozenTime: The time that the control group was frozen before.
  init(heartbeat: Duration?, frozenTime: Duration? = nil, at instant: Instant) {
    self.heartbeat = heartbeat
    self.frozenTime = frozenTime
    lastSeen = instant
  }

  /// The instant of the next `deadline`; nil for none.
  var deadline: Instant? { gap?.until ?? heartbeat.map { lastSeen + $0 } }

  /// Handles an input, and returns the pause that it completes.
  mutating func handle(_ input: Input, at instant: Instant) -> Pause? {
    defer { lastSeen = max(lastSeen, instant) }
    switch input {
    case .deadline: return beat(at: instant)
    case .continued:
      return Pause(cause: .stopped, time: takeGap(at: instant))
    case .resumed:
      gap = nil
      return nil
    case .thawed(let total): return thaw(total, at: instant)
    }
  }

  /// Records that the process is in another control group, which had been frozen for a time before.
  mutating func changeGroup(frozenTime: Duration?) {
    self.frozenTime = frozenTime
  }

  private mutating func beat(at instant: Instant) -> Pause? {
    if let gap {
      guard instant >= gap.until else { return nil }
      self.gap = nil
      return Pause(cause: .unknown, time: gap.time)
    }
    // On a busy machine, a deadline may pass somewhat late.
    if let heartbeat, instant - lastSeen >= heartbeat * 2 {
      gap = Gap(time: instant - lastSeen, until: instant + Self.patience)
    }
    return nil
  }

  private mutating func thaw(_ total: Duration?, at instant: Instant) -> Pause? {
    if let total {
      let time = total - (frozenTime ?? .zero)
      frozenTime = total
      guard time > .zero else { return nil }
      gap = nil
      return Pause(cause: .frozen, time: time)
    }
    if let lastThaw, instant - lastThaw < Self.echo { return nil }
    lastThaw = instant
    return Pause(cause: .frozen, time: takeGap(at: instant))
  }

  /// Returns the time since the process was last seen, if a heartbeat makes that meaningful.
  private mutating func takeGap(at instant: Instant) -> Duration? {
    let known = gap?.time
    gap = nil
    return known ?? heartbeat.map { _ in instant - lastSeen }
  }
}
