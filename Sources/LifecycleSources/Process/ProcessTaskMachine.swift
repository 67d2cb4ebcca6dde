/// A state machine that decides which tasks delay a stop or the end of the process, and for how
/// long.
///
/// It is pure: the caller provides the time. A wait consists of `startGrace`, `expire` when
/// `nextDeadline` has come, `finish` when nothing else is awaited, and `endGrace` when the process
/// continues. Without a wait, every task is granted.
package struct ProcessTaskMachine: Hashable, Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// The time for which expiration handlers may delay the stop or the end.
  package static let handlerTime = Duration.milliseconds(500)

  private enum Wait: Hashable, Sendable {
    case none
    case counting(since: Instant)
    /// The process stops or ends.
    case over
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
    let grace: Duration
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

  /// The number of tasks that have not ended.
  package var count: Int { tasks.count }

  // MARK: Tasks

  /// Begins a task, unless the time that its host grants has passed.
  package mutating func begin(grace: Duration, at now: Instant) -> Int? {
    guard wait == .none || remainingTime(of: grace, at: now) > .zero else { return nil }
    lastID += 1
    tasks.append(Task(id: lastID, grace: grace))
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
  package func remainingTime(of grace: Duration, at now: Instant) -> Duration {
    switch wait {
    case .none: grace
    case .counting(let begun): max(begun + grace - now, .zero)
    case .over: .zero
    }
  }

  /// The longest time that remains for an open task; nil if there is none.
  package func longestRemainingTime(at now: Instant) -> Duration? {
    tasks.map { remainingTime(of: $0.grace, at: now) }.max()
  }

  // MARK: Waiting

  /// Counts time from now on, because a stop or the end is announced, or announced again.
  package mutating func startGrace(at now: Instant) {
    wait = .counting(since: now)
  }

  /// Stops counting, because the process continues.
  package mutating func endGrace() {
    wait = .none
  }

  /// Marks the open tasks whose time is up as expired, and returns them.
  ///
  /// Their handlers are to run in this order, each between `beginHandler` and `finishHandler`.
  package mutating func expire(at now: Instant) -> [Int] {
    guard case .counting(let begun) = wait else { return [] }
    var expired: [Int] = []
    for index in tasks.indices
    where tasks[index].status == .open && begun + tasks[index].grace <= now {
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
  /// From then on, no task is granted until the process continues.
  ///
  /// - Parameter wait: The instant since which only tasks are awaited. Before that, handlers had no
  ///   time if observers kept the main thread busy.
  package mutating func finish(at now: Instant, waitingSince wait: Instant) -> Bool {
    guard isCounting else { return true }
    let isDone = tasks.allSatisfy { task in
      holdEnd(of: task, waitingSince: wait).map { $0 <= now } ?? false
    }
    guard isDone else { return false }
    for index in tasks.indices { tasks[index].isLeftBehind = true }
    self.wait = .over
    return true
  }

  /// Returns the instant at which `expire` or `finish` next has a result, if no task ends before.
  ///
  /// - Parameter wait: As for `finish`; nil while other things are awaited.
  package func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    guard case .counting(let begun) = self.wait else { return nil }
    let expirations = tasks.filter { $0.status == .open }.map { begun + $0.grace }
    // Before that, nothing finishes, however late other tasks are.
    if let next = expirations.min() { return next }
    // When the handler time of one task has passed, another task may still have some.
    return wait.flatMap { wait in tasks.compactMap { holdEnd(of: $0, waitingSince: wait) }.max() }
  }

  /// Returns the instant at which a task that has not ended no longer delays the process; nil while
  /// its time is not up.
  private func holdEnd(of task: Task, waitingSince wait: Instant) -> Instant? {
    guard let expiration = task.status.expiration else { return nil }
    return task.isLeftBehind ? wait : max(expiration, wait) + Self.handlerTime
  }
}
