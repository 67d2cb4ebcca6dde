/// A state machine that distinguishes pauses of the process from what resembles them.
///
/// Its inputs are what the process notices when it continues; its clock does not count sleep. It
/// knows no thread and no file, so that a test can try every sequence of inputs.
struct PauseMachine: Hashable, Sendable {
  typealias Instant = SuspendingClock.Instant

  /// An observation of the process.
  enum Input: Hashable, Sendable {
    /// The deadline has passed.
    case deadline
    /// A `SIGCONT` was sent that continued no announced stop: one half of the evidence of a
    /// `SIGSTOP`.
    case continued
    /// Something has kept the threads of the process from running: the other half. The freezer and
    /// a stop that was announced do that, too, and so does a debugger.
    case interrupted
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

  /// One half of the evidence of a `SIGSTOP`.
  private struct Evidence: Hashable, Sendable {
    var isSignal: Bool
    var instant: Instant
    /// The time since the process was last seen, if a heartbeat makes that meaningful.
    var time: Duration?
  }

  /// The time in which a cause may show up after a gap has been noticed, and the second half of the
  /// evidence after the first.
  static let causeWindow = Duration.milliseconds(200)
  /// The time in which the kernel may report one thaw twice.
  static let repeatWindow = Duration.milliseconds(100)

  private let heartbeat: Duration?
  /// The last instant at which the process was certainly running.
  private var lastSeen: Instant
  /// A gap without a cause, and the instant until which one may show up.
  private var gap: Gap?
  /// The half that came first, until the other one comes.
  private var evidence: Evidence?
  /// The instant of the last thaw, or of the last return from an announced stop.
  private var lastReturn: Instant?
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
    case .continued: return takeEvidence(isSignal: true, at: instant)
    case .interrupted:
      // It may be noticed after what explains it.
      if let lastReturn, instant - lastReturn < Self.causeWindow { return nil }
      return takeEvidence(isSignal: false, at: instant)
    case .resumed:
      discardEvidence(at: instant)
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
    noticeGap(at: instant)
    return nil
  }

  private mutating func noticeGap(at instant: Instant) {
    // On a busy machine, a deadline may pass somewhat late.
    guard gap == nil, let heartbeat, instant - lastSeen >= heartbeat * 2 else { return }
    gap = Gap(time: instant - lastSeen, until: instant + Self.causeWindow)
  }

  /// Takes one half of the evidence of a `SIGSTOP`, and returns the pause if it is the second.
  private mutating func takeEvidence(isSignal: Bool, at instant: Instant) -> Pause? {
    noticeGap(at: instant)
    guard let first = evidence, instant - first.instant < Self.causeWindow else {
      let time = heartbeat.map { _ in instant - lastSeen }
      evidence = Evidence(isSignal: isSignal, instant: instant, time: time)
      return nil
    }
    guard first.isSignal != isSignal else { return nil }
    evidence = nil
    return Pause(cause: .stopped, time: gap.take()?.time ?? first.time)
  }

  private mutating func discardEvidence(at instant: Instant) {
    gap = nil
    evidence = nil
    lastReturn = instant
  }

  private mutating func thaw(_ total: Duration?, at instant: Instant) -> Pause? {
    if let total {
      let time = total - (frozenTime ?? .zero)
      frozenTime = total
      guard time > .zero else { return nil }
      discardEvidence(at: instant)
      return Pause(cause: .frozen, time: time)
    }
    if let lastThaw, instant - lastThaw < Self.repeatWindow { return nil }
    lastThaw = instant
    let time = gap?.time ?? evidence?.time ?? heartbeat.map { _ in instant - lastSeen }
    discardEvidence(at: instant)
    return Pause(cause: .frozen, time: time)
  }
}
