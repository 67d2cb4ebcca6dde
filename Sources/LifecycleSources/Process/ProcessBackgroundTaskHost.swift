import Dispatch
public import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// Lets the process finish its work before a signal stops or ends it: the host for programs.
///
/// | event while a task is open | consequence |
/// | --- | --- |
/// | Ctrl-Z, `kill -TSTP` | the process stops after the last task, or after the grace period |
/// | `SIGTERM`, `SIGINT`, `SIGHUP` | the signal ends it after the last task or the grace period |
/// | Ctrl-Z, and the task delays only the end (``Delay/end``) | the process stops at once |
/// | a second `SIGINT`, or in a terminal `SIGTERM` | it ends at once; no handler is called |
/// | `SIGCONT` while the stop waits | it does not stop, and no task expires |
/// | `kill -STOP`, `kill -KILL` | the usual effect: no process can delay these |
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
/// ```
///
/// The grace period starts at the moment at which observers are notified of the stop or the end,
/// and so does the deadline of ``ProcessSignalSource``: the process waits for both. A task that
/// begins during the grace period counts too, and has the remaining time. When the time of a task
/// is up, its expiration handler is called on the main actor. If the main thread is blocked, the
/// process waits at most half a second for the handler. After that, no task is granted until the
/// process continues, for example after `fg`.
///
/// The tasks of all hosts delay the process, each for as long as its own host grants. This requires
/// a bus that is connected to ``ProcessSignalSource``: without one, tasks are granted, and signals
/// stop and end the process as if there were no tasks. The same applies to the end if another party
/// ends the process (``ProcessSignalSource/Termination/observe``).
///
/// Ending a task more than once has no effect.
public struct ProcessBackgroundTaskHost: BackgroundTaskHost {
  /// The occasions on which tasks delay the process.
  @nonexhaustive
  public enum Delay: Hashable, Sendable {
    /// Tasks delay a stop (Ctrl-Z) and the end of the process.
    case stopAndEnd
    /// Tasks delay only the end of the process.
    ///
    /// Ctrl-Z stops the process at once, in the middle of a task, and no task expires: it continues
    /// after `fg`. For work that must be finished, but may be paused.
    case end
  }

  private let grant: ProcessTaskMachine.Grant

  init(grace: Duration, delaying delay: Delay) {
    grant = .init(
      grace: max(grace, .zero).clamped,
      occasions: delay == .end ? [.end] : [.stop, .end]
    )
  }

  /// Begins a task.
  ///
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - name: Not used.
  ///   - onExpiration: Called on the main actor, at most once, when tasks of this host delay a stop
  ///     or the end of the process, and the grace period has passed.
  /// - Returns: The task; nil if the grace period of such a stop or end has passed.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    ProcessTasks.begin(grant, onExpiration: onExpiration).map(BackgroundTaskID.init)
  }

  /// Ends a task.
  ///
  /// Thread-safe.
  ///
  /// - Parameter task: A task of this host; one that has ended is ignored.
  public func endTask(_ task: BackgroundTaskID) {
    ProcessTasks.end(task.rawValue)
  }

  /// The time that a stop or an end would wait for tasks if it came now.
  ///
  /// While a stop or an end waits for tasks of this host, this is the time that remains; after
  /// that, it is zero.
  @MainActor public var remainingTime: Duration? {
    ProcessTasks.withMachine { $0.remainingTime(of: grant, at: $1) }
  }

  /// The longest time for which an open task of any host may still delay the end; nil if no task is
  /// open. Thread-safe.
  package static var longestDelayOfEnd: Duration? {
    ProcessTasks.withMachine { $0.longestDelayOfEnd(at: $1) }
  }
}

extension BackgroundTaskHost where Self == ProcessBackgroundTaskHost {
  /// A host that delays the stop and the end of this process.
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
  /// ```
  ///
  /// - Parameters:
  ///   - grace: The time for which tasks may delay a stop or the end of the process, not counting
  ///     the time that the machine sleeps, or that the process is frozen or stopped. The sender of
  ///     a `SIGTERM` often waits for 10 seconds (Docker) before it sends `SIGKILL`.
  ///   - delay: The occasions on which tasks delay the process.
  public static func process(
    grace: Duration = .seconds(5),
    delaying delay: ProcessBackgroundTaskHost.Delay = .stopAndEnd
  ) -> Self {
    Self(grace: grace, delaying: delay)
  }
}

/// The tasks of all process hosts: the process stops and ends as a whole.
///
/// They exist independently of the engine, which comes and goes with connections. No lock is held
/// while a handler runs or is released.
enum ProcessTasks {
  private struct State {
    var machine = ProcessTaskMachine()
    var handlers: [Int: @MainActor @Sendable () -> Void] = [:]
  }

  private static let state = Locked(State())

  /// Calls the body under the lock, with the current instant by the running time.
  static func withMachine<Result: Sendable>(
    _ body: (inout ProcessTaskMachine, RunningTime.Instant) -> Result
  ) -> Result {
    state.withLock { body(&$0.machine, RunningTime.now) }
  }

  static func begin(
    _ grant: ProcessTaskMachine.Grant,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> Int? {
    let (id, isCounting) = state.withLock { state -> (Int?, Bool) in
      let id = state.machine.begin(grant, at: RunningTime.now)
      if let id { state.handlers[id] = onExpiration }
      return (id, state.machine.isCounting)
    }
    if id != nil, isCounting { ProcessThread.wake() }
    return id
  }

  static func end(_ id: Int) {
    let isCounting = state.withLockDiscarding { state in
      state.machine.end(id)
      return (state.machine.isCounting, state.handlers.removeValue(forKey: id))
    }
    if isCounting { ProcessThread.wake() }
  }

  /// Calls the handlers of the tasks whose time is up, on the main actor.
  static func expire() {
    let expired = withMachine { $0.expire(at: $1) }
    guard !expired.isEmpty else { return }
    DispatchQueue.main.async {
      for id in expired {
        let handler = state.withLock { state in
          state.machine.beginHandler(of: id) ? state.handlers.removeValue(forKey: id) : nil
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
struct ProcessTaskMachine: Hashable, Sendable {
  typealias Instant = RunningTime.Instant

  /// The time for which expiration handlers may delay the stop or the end.
  static let handlerTime = Duration.milliseconds(500)

  /// An occasion on which the process waits for tasks.
  enum Occasion: Hashable, Sendable {
    case stop, end
  }

  /// The time that a host grants to its tasks.
  struct Grant: Hashable, Sendable {
    /// The time for which a task may delay the process.
    var grace: Duration
    /// The occasions on which it may do so. On the others, a task continues as if there were none.
    var occasions: Set<Occasion> = [.stop, .end]
  }

  /// A stop, or the end, that waits for tasks, or no longer does.
  private struct Wait: Hashable, Sendable {
    let occasion: Occasion
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
    tasks.filter { $0.grant.occasions.contains(.end) }
      .map { remainingTime(of: $0.grant, at: now) }.max()
  }

  // MARK: Waiting

  /// Counts time from now on, because a stop or the end is announced, or announced again.
  mutating func startGrace(of occasion: Occasion, at now: Instant) {
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
    let awaited = tasks.indices.filter { isAwaited(tasks[$0].grant) }
    let isDone = awaited.allSatisfy { index in
      holdEnd(of: tasks[index], waitingSince: wait).map { $0 <= now } ?? false
    }
    guard isDone else { return false }
    for index in awaited { tasks[index].isLeftBehind = true }
    self.wait?.begun = nil
    return true
  }

  /// Returns the instant at which `expire` or `finish` next has a result, if no task ends before.
  ///
  /// - Parameter wait: As for `finish`; nil while other things are awaited.
  func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    guard let begun = self.wait?.begun else { return nil }
    let awaited = tasks.filter { isAwaited($0.grant) }
    let expirations = awaited.filter { $0.expiration == nil }.map { begun + $0.grant.grace }
    // Before that, nothing finishes, however late other tasks are.
    if let next = expirations.min() { return next }
    // When the handler time of one task has passed, another task may still have some.
    return wait.flatMap { wait in awaited.compactMap { holdEnd(of: $0, waitingSince: wait) }.max() }
  }

  /// Returns the instant at which a task that has not ended no longer delays the process; nil while
  /// its time is not up.
  private func holdEnd(of task: Task, waitingSince wait: Instant) -> Instant? {
    guard let expiration = task.expiration else { return nil }
    return task.isLeftBehind ? wait : max(expiration, wait) + Self.handlerTime
  }
}
