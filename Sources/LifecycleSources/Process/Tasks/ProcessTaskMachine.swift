/// A state machine that decides which tasks delay a stop or the end of the process, and for how
/// long.
///
/// It is pure: the caller provides the time. A wait consists of `startGrace`, `expire` when
/// `nextDeadline` has come, `finish` when nothing else is awaited, and `endGrace` when the process
/// continues. Without a wait, every task is granted. A task that delays only the end has no part in
/// a stop: it is granted at any time, and does not expire.
package struct ProcessTaskMachine: Hashable, Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// The time for which expiration handlers may delay the stop or the end.
  package static let handlerTime = Duration.milliseconds(500)

  /// An occasion on which the process waits for tasks.
  package enum Occasion: Hashable, Sendable, CaseIterable {
    case stop, end
  }

  /// The time that a host grants to its tasks.
  package struct Grant: Hashable, Sendable {
    /// The time for which a task may delay the process.
    package var grace: Duration
    /// The occasions on which it may do so. On the others, a task continues as if there were none.
    package var occasions: Set<Occasion>

    package init(grace: Duration, occasions: Set<Occasion> = [.stop, .end]) {
      self.grace = grace
      self.occasions = occasions
    }
  }

  private enum Wait: Hashable, Sendable {
    case none
    case counting(Occasion, since: Instant)
    /// The process stops or ends.
    case over(Occasion)

    var occasion: Occasion? {
      switch self {
      case .none: nil
      case .counting(let occasion, _), .over(let occasion): occasion
      }
    }
  }

  private enum Status: Hashable, Sendable {
    case open
    /// The handler has not been called yet.
    case expired(at: Instant)
    /// The handler is running.
    case expiring(since: Instant)

    /// The instant at which the task's time was up.
    var expiration: Instant? {
      switch self {
      case .open: nil
      case .expired(let instant), .expiring(let instant): instant
      }
    }
  }

  private struct Task: Hashable, Sendable {
    let id: Int
    let grant: Grant
    var status = Status.open
    /// A Boolean value that indicates whether the process has stopped without the task.
    var isLeftBehind = false
  }

  private var wait = Wait.none
  private var lastID = 0
  /// The tasks that have not ended, in the order in which they began.
  private var tasks: [Task] = []

  package init() {}

  /// A Boolean value that indicates whether a stop or the end counts the time of tasks.
  package var isCounting: Bool {
    if case .counting = wait { true } else { false }
  }

  /// A Boolean value that indicates whether a task has delayed the end, or still does.
  package private(set) var hasDelayedEnd = false

  /// The number of tasks that have not ended.
  package var count: Int { tasks.count }

  // MARK: Tasks

  /// Begins a task, unless the time that its host grants has passed.
  package mutating func begin(_ grant: Grant, at now: Instant) -> Int? {
    guard !isAwaited(grant) || remainingTime(of: grant, at: now) > .zero else { return nil }
    lastID += 1
    tasks.append(Task(id: lastID, grant: grant))
    if wait.occasion == .end, isAwaited(grant) { hasDelayedEnd = true }
    return lastID
  }

  /// Ends a task. A task whose handler is running delays the process until the handler has
  /// returned.
  package mutating func end(_ id: Int) {
    tasks.removeAll { task in
      if case .expiring = task.status { false } else { task.id == id }
    }
  }

  /// Returns the time that remains of a host's grace period.
  package func remainingTime(of grant: Grant, at now: Instant) -> Duration {
    guard isAwaited(grant) else { return grant.grace }
    guard case .counting(_, let begun) = wait else { return .zero }
    return max(begun + grant.grace - now, .zero)
  }

  /// Returns true if the tasks of a host delay what is under way, or have done so.
  private func isAwaited(_ grant: Grant) -> Bool {
    wait.occasion.map(grant.occasions.contains) ?? false
  }

  /// Returns the longest time for which an open task may still delay the end; nil if there is none.
  package func longestDelayOfEnd(at now: Instant) -> Duration? {
    tasks.filter { $0.grant.occasions.contains(.end) }
      .map { remainingTime(of: $0.grant, at: now) }.max()
  }

  // MARK: Waiting

  /// Counts time from now on, because a stop or the end is announced, or announced again.
  package mutating func startGrace(of occasion: Occasion, at now: Instant) {
    wait = .counting(occasion, since: now)
    if occasion == .end { hasDelayedEnd = tasks.contains { isAwaited($0.grant) } }
  }

  /// Stops counting, because the process continues.
  package mutating func endGrace() {
    wait = .none
  }

  /// Marks the open tasks whose time is up as expired, and returns them.
  ///
  /// Their handlers are to run in this order, each between `beginHandler` and `finishHandler`.
  package mutating func expire(at now: Instant) -> [Int] {
    guard case .counting(_, let begun) = wait else { return [] }
    var expired: [Int] = []
    for index in tasks.indices
    where tasks[index].status == .open && isAwaited(tasks[index].grant)
      && begun + tasks[index].grant.grace <= now
    {
      tasks[index].status = .expired(at: now)
      expired.append(tasks[index].id)
    }
    return expired
  }

  /// Returns true if the handler is still to be called; false if the task has ended meanwhile.
  package mutating func beginHandler(of id: Int) -> Bool {
    guard let index = tasks.firstIndex(where: { $0.id == id }),
      case .expired(let instant) = tasks[index].status
    else { return false }
    tasks[index].status = .expiring(since: instant)
    return true
  }

  /// Ends a task whose handler has returned.
  package mutating func finishHandler(of id: Int) {
    tasks.removeAll { $0.id == id }
  }

  /// Returns true if tasks no longer delay the process.
  ///
  /// From then on, no task that would delay it is granted until the process continues.
  ///
  /// - Parameter wait: The instant since which only tasks are awaited. Before that, handlers had no
  ///   time if observers kept the main thread busy.
  package mutating func finish(at now: Instant, waitingSince wait: Instant) -> Bool {
    guard case .counting(let occasion, _) = self.wait else { return true }
    let awaited = tasks.indices.filter { isAwaited(tasks[$0].grant) }
    let isDone = awaited.allSatisfy { index in
      holdEnd(of: tasks[index], waitingSince: wait).map { $0 <= now } ?? false
    }
    guard isDone else { return false }
    for index in awaited { tasks[index].isLeftBehind = true }
    self.wait = .over(occasion)
    return true
  }

  /// Returns the instant at which `expire` or `finish` next has a result, if no task ends before.
  ///
  /// - Parameter wait: As for `finish`; nil while other things are awaited.
  package func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    guard case .counting(_, let begun) = self.wait else { return nil }
    let awaited = tasks.filter { isAwaited($0.grant) }
    let expirations = awaited.filter { $0.status == .open }.map { begun + $0.grant.grace }
    // Before that, nothing finishes, however late other tasks are.
    if let next = expirations.min() { return next }
    // When the handler time of one task has passed, another task may still have some.
    return wait.flatMap { wait in awaited.compactMap { holdEnd(of: $0, waitingSince: wait) }.max() }
  }

  /// Returns the instant at which a task that has not ended no longer delays the process; nil while
  /// its time is not up.
  private func holdEnd(of task: Task, waitingSince wait: Instant) -> Instant? {
    guard let expiration = task.status.expiration else { return nil }
    return task.isLeftBehind ? wait : max(expiration, wait) + Self.handlerTime
  }
}
