import Dispatch
import LifecycleCore
import LifecycleSupport

/// The tasks of all process hosts: the process stops and ends as a whole.
///
/// They exist independently of the engine, which comes and goes with connections. No lock is held
/// while a handler runs or is released.
package enum ProcessTasks {
  private struct State {
    var machine = ProcessTaskMachine()
    var handlers: [(id: Int, body: @MainActor @Sendable () -> Void)] = []

    mutating func takeHandler(of id: Int) -> (@MainActor @Sendable () -> Void)? {
      handlers.firstIndex { $0.id == id }.map { handlers.remove(at: $0).body }
    }
  }

  private static let state = Locked(State())

  /// Calls the body under the lock, with the current instant by the running time.
  static func withMachine<Result: Sendable>(
    _ body: (inout ProcessTaskMachine, RunningTime.Instant) -> Result
  ) -> Result {
    state.withLock { body(&$0.machine, RunningTime.now) }
  }

  /// Begins a task, whose handler is called on the main actor when its time is up.
  ///
  /// - Returns: The task's number; nil if the time that is granted has passed.
  package static func begin(
    _ grant: ProcessTaskMachine.Grant,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> Int? {
    let (id, isCounting) = state.withLock { state -> (Int?, Bool) in
      let id = state.machine.begin(grant, at: RunningTime.now)
      if let id { state.handlers.append((id, onExpiration)) }
      return (id, state.machine.isCounting)
    }
    if id != nil, isCounting { ProcessThread.wake() }
    return id
  }

  /// Ends a task. Has no effect if it has ended.
  package static func end(_ id: Int) {
    let isCounting = state.withLockDiscarding { state in
      state.machine.end(id)
      return (state.machine.isCounting, state.takeHandler(of: id))
    }
    if isCounting { ProcessThread.wake() }
  }

  /// The time that a stop or an end would wait for tasks if it came now, or that remains of it.
  package static func remainingTime(of grant: ProcessTaskMachine.Grant) -> Duration {
    withMachine { $0.remainingTime(of: grant, at: $1) }
  }

  /// The longest time for which an open task may still delay the end; nil if no task is open.
  package static var longestDelayOfEnd: Duration? {
    withMachine { $0.longestDelayOfEnd(at: $1) }
  }

  /// Calls the handlers of the tasks whose time is up, on the main actor.
  static func expire() {
    let expired = withMachine { $0.expire(at: $1) }
    guard !expired.isEmpty else { return }
    DispatchQueue.main.async {
      for id in expired {
        let handler = state.withLock { state in
          state.machine.beginHandler(of: id) ? state.takeHandler(of: id) : nil
        }
        guard let handler else { continue }
        handler()
        withMachine { machine, _ in machine.finishHandler(of: id) }
      }
      ProcessThread.wake()
    }
  }
}

/// A state machine that decides which tasks delay a stop or the end of the process, and for how
/// long.
///
/// It is pure: the caller provides the time. A wait consists of `startGrace`, `expire` when
/// `nextDeadline` has come, `finish` when nothing else is awaited, and `endGrace` when the process
/// continues. Without a wait, every task is granted. A task that delays only the end has no part in
/// a stop: it is granted at any time, and does not expire.
package struct ProcessTaskMachine: Hashable, Sendable {
  typealias Instant = RunningTime.Instant

  /// The time for which expiration handlers may delay the stop or the end.
  static let handlerTime = Duration.milliseconds(500)

  /// Occasions on which the process waits for tasks.
  package struct Occasions: OptionSet, Hashable, Sendable {
    package static let stop = Self(rawValue: 1)
    package static let end = Self(rawValue: 2)

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The time that a host grants to its tasks.
  package struct Grant: Hashable, Sendable {
    /// The time for which a task may delay the process.
    let grace: Duration
    /// The occasions on which it may do so. On the others, a task continues as if there were none.
    let occasions: Occasions

    package init(grace: Duration, occasions: Occasions = [.stop, .end]) {
      self.grace = max(grace, .zero).clamped
      self.occasions = occasions
    }
  }

  /// A stop, or the end, that waits for tasks, or no longer does.
  private struct Wait: Hashable, Sendable {
    let occasion: Occasions
    /// The instant since which time counts; nil once the process stops or ends.
    var begun: Instant?
  }

  private struct Task: Hashable, Sendable {
    let id: Int
    let grant: Grant
    /// The instant at which the task's time was up; nil before.
    var expiration: Instant?
    var isHandlerRunning = false
    /// A Boolean value that indicates whether the process has stopped without the task.
    var isLeftBehind = false
  }

  private var wait: Wait?
  private var lastID = 0
  /// The tasks that have not ended, in the order in which they began.
  private var tasks: [Task] = []

  /// A Boolean value that indicates whether a stop or the end counts the time of tasks.
  var isCounting: Bool { wait?.begun != nil }

  /// A Boolean value that indicates whether a task has delayed the end, or still does.
  private(set) var hasDelayedEnd = false

  /// The number of tasks that have not ended.
  var count: Int { tasks.count }

  // MARK: Tasks

  /// Begins a task, unless the time that its host grants has passed.
  mutating func begin(_ grant: Grant, at now: Instant) -> Int? {
    guard !isAwaited(grant) || remainingTime(of: grant, at: now) > .zero else { return nil }
    lastID += 1
    tasks.append(Task(id: lastID, grant: grant))
    if wait?.occasion == .end, isAwaited(grant) { hasDelayedEnd = true }
    return lastID
  }

  /// Ends a task. A task whose handler is running delays the process until the handler has
  /// returned.
  mutating func end(_ id: Int) {
    tasks.removeAll { $0.id == id && !$0.isHandlerRunning }
  }

  /// Returns the time that remains of a host's grace period.
  func remainingTime(of grant: Grant, at now: Instant) -> Duration {
    guard isAwaited(grant) else { return grant.grace }
    guard let begun = wait?.begun else { return .zero }
    return max(begun + grant.grace - now, .zero)
  }

  /// Returns true if the tasks of a host delay what is under way, or have done so.
  private func isAwaited(_ grant: Grant) -> Bool {
    wait.map { grant.occasions.contains($0.occasion) } ?? false
  }

  /// Returns the longest time for which an open task may still delay the end; nil if there is none.
  func longestDelayOfEnd(at now: Instant) -> Duration? {
    var longest: Duration?
    for task in tasks where task.grant.occasions.contains(.end) {
      let rest = remainingTime(of: task.grant, at: now)
      longest = max(rest, longest ?? rest)
    }
    return longest
  }

  // MARK: Waiting

  /// Counts time from now on, because a stop or the end is announced, or announced again.
  mutating func startGrace(of occasion: Occasions, at now: Instant) {
    wait = Wait(occasion: occasion, begun: now)
    if occasion == .end { hasDelayedEnd = tasks.contains { isAwaited($0.grant) } }
  }

  /// Stops counting, because the process continues.
  mutating func endGrace() {
    wait = nil
  }

  /// Marks the open tasks whose time is up as expired, and returns them.
  ///
  /// Their handlers are to run in this order, each between `beginHandler` and `finishHandler`.
  mutating func expire(at now: Instant) -> [Int] {
    guard let begun = wait?.begun else { return [] }
    var expired: [Int] = []
    for index in tasks.indices
    where tasks[index].expiration == nil && isAwaited(tasks[index].grant)
      && begun + tasks[index].grant.grace <= now
    {
      tasks[index].expiration = now
      expired.append(tasks[index].id)
    }
    return expired
  }

  /// Returns true if the handler is still to be called; false if the task has ended meanwhile.
  mutating func beginHandler(of id: Int) -> Bool {
    let index = tasks.firstIndex { $0.id == id && $0.expiration != nil && !$0.isHandlerRunning }
    guard let index else { return false }
    tasks[index].isHandlerRunning = true
    return true
  }

  /// Ends a task whose handler has returned.
  mutating func finishHandler(of id: Int) {
    tasks.removeAll { $0.id == id }
  }

  /// Returns true if tasks no longer delay the process.
  ///
  /// From then on, no task that would delay it is granted until the process continues.
  ///
  /// - Parameter wait: The instant since which only tasks are awaited. Before that, handlers had no
  ///   time if observers kept the main thread busy.
  mutating func finish(at now: Instant, waitingSince wait: Instant) -> Bool {
    guard isCounting else { return true }
    for task in tasks where isAwaited(task.grant) {
      guard let end = holdEnd(of: task, waitingSince: wait), end <= now else { return false }
    }
    for index in tasks.indices where isAwaited(tasks[index].grant) {
      tasks[index].isLeftBehind = true
    }
    self.wait?.begun = nil
    return true
  }

  /// Returns the instant at which `expire` or `finish` next has a result, if no task ends before.
  ///
  /// - Parameter wait: As for `finish`; nil while other things are awaited.
  func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    guard let begun = self.wait?.begun else { return nil }
    // Before the next expiration, nothing finishes, however late other tasks are. When the handler
    // time of one task has passed, another task may still have some.
    var (expiration, last): (Instant?, Instant?)
    for task in tasks where isAwaited(task.grant) {
      if task.expiration == nil {
        expiration = earlier(expiration, begun + task.grant.grace)
      } else if let wait, let end = holdEnd(of: task, waitingSince: wait) {
        last = max(end, last ?? end)
      }
    }
    return expiration ?? last
  }

  /// Returns the instant at which a task that has not ended no longer delays the process; nil while
  /// its time is not up.
  private func holdEnd(of task: Task, waitingSince wait: Instant) -> Instant? {
    guard let expiration = task.expiration else { return nil }
    return task.isLeftBehind ? wait : max(expiration, wait) + Self.handlerTime
  }
}
