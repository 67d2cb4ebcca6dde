/// Which tasks hold up a stop or the end of the process, and for how long. Pure: the time is given.
///
/// The wait goes `startGrace`, then `expire` when `nextDeadline` has come, `finish` when nothing else is
/// waited for, and `endGrace` when the process goes on. Without a wait every task is granted.
package struct ProcessTaskMachine: Hashable, Sendable {
  package typealias Instant = SuspendingClock.Instant

  /// How long expiration handlers may hold up the stop or the end.
  package static let handlerTime = Duration.milliseconds(500)

  private enum Wait: Hashable, Sendable {
    case none
    case counting(since: Instant)
    /// The process stops or ends.
    case over
  }

  private enum Status: Hashable, Sendable {
    case open
    /// Its handler is to be called.
    case expired(at: Instant)
    /// Its handler runs.
    case expiring(since: Instant)

    /// When its time was up.
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
    /// Whether the process has stopped without it.
    var isLeftBehind = false
  }

  private var wait = Wait.none
  private var lastID = 0
  /// Those that have not ended, in the order in which they were begun.
  private var tasks: [Task] = []

  package init() {}

  /// Whether a stop or the end counts the time of tasks.
  package var isCounting: Bool {
    if case .counting = wait { true } else { false }
  }

  /// How many tasks have not ended.
  package var count: Int { tasks.count }

  // MARK: Tasks

  /// Begins a task, unless the time that its host grants is over.
  package mutating func begin(grace: Duration, at now: Instant) -> Int? {
    guard wait == .none || remainingTime(of: grace, at: now) > .zero else { return nil }
    lastID += 1
    tasks.append(Task(id: lastID, grace: grace))
    return lastID
  }

  /// Ends a task. One whose handler runs holds the process up until that has returned.
  package mutating func end(_ id: Int) {
    tasks.removeAll { task in
      if case .expiring = task.status { false } else { task.id == id }
    }
  }

  /// What a host that grants so much has left to give.
  package func remainingTime(of grace: Duration, at now: Instant) -> Duration {
    switch wait {
    case .none: grace
    case .counting(let begun): max(begun + grace - now, .zero)
    case .over: .zero
    }
  }

  // MARK: Waiting

  /// A stop or the end is announced, or announced again: time counts from now on.
  package mutating func startGrace(at now: Instant) {
    wait = .counting(since: now)
  }

  /// The process goes on.
  package mutating func endGrace() {
    wait = .none
  }

  /// Takes those whose time is up. Their handlers are to be run, in this order, each between
  /// `beginHandler` and `finishHandler`.
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

  /// Whether the handler is still to be called: not if the task has ended meanwhile.
  package mutating func beginHandler(of id: Int) -> Bool {
    guard let index = tasks.firstIndex(where: { $0.id == id }),
      case .expired(let instant) = tasks[index].status
    else { return false }
    tasks[index].status = .expiring(since: instant)
    return true
  }

  /// The handler has returned, and the task has ended with that.
  package mutating func finishHandler(of id: Int) {
    tasks.removeAll { $0.id == id }
  }

  /// Whether no task holds the process up any more. No task is granted then until it goes on.
  ///
  /// - Parameter wait: Since when nothing but tasks is waited for: handlers had no time before, if
  ///   observers kept the main thread.
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

  /// When `expire` or `finish` have something new to say, if no task ends before.
  ///
  /// - Parameter wait: As for `finish`; nil while other things are waited for.
  package func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    guard case .counting(let begun) = self.wait else { return nil }
    let expirations = tasks.filter { $0.status == .open }.map { begun + $0.grace }
    // Before that nothing finishes, however late other tasks are.
    if let next = expirations.min() { return next }
    // When one task's handler time is over, another may still have some.
    return wait.flatMap { wait in tasks.compactMap { holdEnd(of: $0, waitingSince: wait) }.max() }
  }

  /// When a task ceases to hold the process up though it has not ended; nil while its time is not up.
  private func holdEnd(of task: Task, waitingSince wait: Instant) -> Instant? {
    guard let expiration = task.status.expiration else { return nil }
    return task.isLeftBehind ? wait : max(expiration, wait) + Self.handlerTime
  }
}
