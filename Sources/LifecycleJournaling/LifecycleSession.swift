public import LifecycleCore

/// A session: one or more visits of the user, none of which comes later than a time-out after the
/// previous one.
///
/// ``LifecycleSessions`` counts them.
public struct LifecycleSession: Sendable, Hashable, Codable, Identifiable {
  /// A random text of 36 characters in the form of a UUID, such as
  /// `0f8fad5b-d9cb-469f-a165-70867728950e`.
  public let id: String
  /// The identifier of the session before; nil for the first one.
  public let previousID: String?
  /// The session's number: 1, 2, 3, …
  public let number: Int
  /// The instant of the opening that began the session.
  public internal(set) var startedAt: LifecycleInstant
  /// The instant at which the user left last; nil during a visit.
  ///
  /// It is the end of a session that has ended.
  public internal(set) var leftAt: LifecycleInstant?
  /// The number of visits, from 1.
  public internal(set) var visits = 1
  /// The time that the process was in the foreground, summed over the visits.
  public internal(set) var timeInForeground = Duration.zero
  /// A Boolean value that indicates whether the process was killed during a visit, most often by a
  /// crash.
  ///
  /// That visit is known up to the journal's last sign of life, so ``timeInForeground`` may be too
  /// short, and ``leftAt`` too early.
  public internal(set) var wasKilled = false

  fileprivate mutating func addTime(_ length: Duration) {
    timeInForeground = (timeInForeground.clamped + max(length, .zero)).clamped
  }
}

/// The state machine that determines when sessions begin and end, and which of that is reported
/// next.
///
/// Between a leaving and the time-out, or the next opening, it is not known whether the session has
/// ended.
struct SessionMachine: Sendable {
  /// The part that outlives the process.
  struct State: Hashable, Codable, Sendable {
    /// The last session.
    var session: LifecycleSession?
    /// The beginning of the visit under way.
    var visit: LifecycleInstant?
    var hasEnded = false
    var isBeginReported = false
    var isEndReported = false
    /// The session before, if its end is not reported yet.
    var unreportedEnd: LifecycleSession?
    /// The boot that the instants belong to.
    var boot: BootID?
    /// The run of the program that is in the visit.
    var run = 0
  }

  /// The last run of the program, as its journal reports it.
  typealias LastRun = (number: Int, signOfLife: LifecycleInstant?, wasKilled: Bool)

  let timeout: Duration
  private let boot: BootID?
  private let run: Int
  private(set) var state = State()

  /// - Parameters:
  ///   - boot: The boot of this process's instants.
  ///   - run: The number of this run of the program.
  init(timeout: Duration, boot: BootID? = nil, run: Int = 0) {
    self.timeout = max(timeout.clamped, .zero)
    self.boot = boot
    self.run = run
  }

  /// Continues from the state that another process has saved.
  ///
  /// The instants are moved to the continuous clock of this boot. After a restart of the machine,
  /// the wall clock shows how long ago the user left.
  ///
  /// - Returns: Whether this has changed it.
  mutating func restore(_ saved: State, after last: LastRun, at now: LifecycleInstant) -> Bool {
    state = saved
    state.boot = boot
    if let visit = saved.visit {
      let isLast = saved.run == last.number
      leave(at: (isLast ? last.signOfLife : nil) ?? visit)
      if !isLast || last.wasKilled { state.session?.wasKilled = true }
    }
    let left = state.session?.leftAt ?? now
    let (away, isClockTrusted) = left.timeAway(until: now, of: boot, from: saved.boot)
    let shift = isClockTrusted ? .zero : now.continuous - away - left.continuous
    state.session?.leftAt?.continuous += shift
    state.session?.startedAt.continuous += shift
    return state != saved
  }

  /// Begins a visit, in the same session or a new one.
  mutating func open(at instant: LifecycleInstant, makeID: () -> String) {
    guard state.visit == nil else { return }
    expire(at: instant.continuous)
    // A journal that is opened again in the same process has seen a part of the visit.
    state.visit = max(instant, state.session?.leftAt ?? instant)
    (state.boot, state.run) = (boot, run)
    if state.hasEnded || state.session == nil {
      if !state.isEndReported { state.unreportedEnd = state.session }
      state.session = LifecycleSession(
        id: makeID(),
        previousID: state.session?.id,
        number: (state.session?.number ?? 0) &+ 1,
        startedAt: instant
      )
      (state.hasEnded, state.isBeginReported, state.isEndReported) = (false, false, false)
    } else {
      state.session?.visits &+= 1
      state.session?.leftAt = nil
    }
  }

  /// Ends a visit.
  mutating func leave(at instant: LifecycleInstant) {
    guard let visit = state.visit.take() else { return }
    state.session?.addTime(visit.duration(to: instant))
    state.session?.leftAt = instant.continuous < visit.continuous ? visit : instant
  }

  /// Ends the session if the time-out has passed since the user left.
  ///
  /// - Returns: Whether it ends now.
  @discardableResult
  mutating func expire(at now: ContinuousInstant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    state.hasEnded = true
    return true
  }

  /// The instant at which the session ends if the user does not return; nil during a visit, and
  /// after the end.
  var deadline: ContinuousInstant? {
    state.hasEnded ? nil : state.session?.leftAt.map { $0.continuous + timeout }
  }

  /// Returns the session under way, with the time up to now.
  func current(at now: ContinuousInstant) -> LifecycleSession? {
    guard var session = state.session, !state.hasEnded else { return nil }
    if let deadline { return deadline <= now ? nil : session }
    if let visit = state.visit { session.addTime(now - visit.continuous) }
    return session
  }

  /// Returns what is to be reported next.
  mutating func nextChange() -> LifecycleSessions.Change? {
    if let end = state.unreportedEnd.take() { return .ended(end) }
    guard let session = state.session else { return nil }
    if !state.isBeginReported {
      state.isBeginReported = true
      return .began(session)
    }
    guard state.hasEnded, !state.isEndReported else { return nil }
    state.isEndReported = true
    return .ended(session)
  }
}
