public import LifecycleBackgroundWork
public import LifecycleCore
import LifecycleSupport

/// A host for background tasks that grants or refuses time as a test requires, and records the
/// tasks that were begun and ended.
///
/// ```swift
/// let clock = ManualClock()
/// let host = InMemoryBackgroundTaskHost(clock: clock)
/// let upload = Upload(host)
/// upload.start()
/// clock.advance(by: .seconds(30))
/// // host.operations == [.began("upload"), .expired("upload"), .ended("upload")]
/// ```
///
/// Time is granted from the beginning of the first task until no task is open; all open tasks share
/// it. When the time has passed on the clock, the expiration handlers are called, in the order in
/// which the tasks were begun: on the thread that moves the clock if that is the main actor's,
/// otherwise on the main actor, soon after. Without a clock, only
/// ``expire(fileID:filePath:line:column:)`` calls them.
///
/// Mistakes for which a system kills a process, or that it does not notice, fail the test: a task
/// that is ended twice or was never begun, a task that its expiration handler does not end, and a
/// task that is open when the host is released. They are reported at the line that created the host
/// if no line of the test is nearer. Mistakes on other threads are reported when the test next uses
/// the host.
public final class InMemoryBackgroundTaskHost: BackgroundTaskHost {
  /// An operation that the host recorded.
  @nonexhaustive
  public enum Operation: Sendable, Hashable {
    /// A task of that name was begun.
    case began(String)
    /// A task of that name was refused.
    case refused(String)
    /// The task's expiration handler was called.
    case expired(String)
    /// The task was ended.
    case ended(String)
  }

  private struct Task {
    enum Status {
      case open
      /// The task's handler was called, or is being called.
      case expired
      case ended
      /// The task was not ended in time, or not at all, and was reported.
      case lost
    }

    let name: String
    var handler: (@MainActor @Sendable () -> Void)?
    var status = Status.open

    var isRunning: Bool { status == .open || status == .expired }
  }

  /// The time that the open tasks share.
  private struct Grant {
    let number: Int
    /// The end of the time, as a reading of the clock; nil for no limit.
    var deadline: ContinuousInstant?
    /// The timer of the deadline, which is cancelled when it is released with the grant.
    let alarm: Alarm
  }

  private struct State {
    /// The tasks in the order in which they were begun, which have the identifiers 1, 2, ….
    var tasks: [Task] = []
    var operations: [Operation] = []
    var isGranting = true
    var allowance: Duration?
    var grant: Grant?
    var lastGrant = 0

    /// The indices of the tasks that are neither ended nor given up.
    var running: [Int] { tasks.indices.filter { tasks[$0].isRunning } }

    mutating func begin(until deadline: ContinuousInstant?, _ clock: any LifecycleClock) -> Grant {
      lastGrant += 1
      let grant = Grant(number: lastGrant, deadline: deadline, alarm: Alarm(clock))
      self.grant = grant
      return grant
    }

    /// Takes the grant if no task is open.
    mutating func takeUnusedGrant() -> Grant? {
      running.isEmpty ? grant.take() : nil
    }
  }

  private let clock: any LifecycleClock
  private let site: CallSite
  private let failures = TestFailures()
  private let state: Locked<State>

  /// Creates a host that grants all tasks.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the granted time. By default, time stands still.
  ///   - remainingTime: The duration of a grant; nil for no limit.
  public init(
    clock: any LifecycleClock = ManualClock(),
    remainingTime: Duration? = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.clock = clock
    site = CallSite(fileID, filePath, line, column)
    state = Locked(State(allowance: remainingTime))
  }

  deinit { reportOpenTasks("when its host was released", at: site) }

  // MARK: The host

  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    let now = clock.continuous
    let (id, grant) = state.withLock { state -> (BackgroundTaskID?, Grant?) in
      // Tasks are refused while tasks whose time has passed have not ended.
      guard state.isGranting, state.grant?.deadline.map({ $0 > now }) ?? true else {
        state.operations.append(.refused(name))
        return (nil, nil)
      }
      state.operations.append(.began(name))
      state.tasks.append(Task(name: name, handler: onExpiration))
      let id = BackgroundTaskID(rawValue: state.tasks.count)
      guard state.grant == nil else { return (id, nil) }
      return (id, state.begin(until: state.allowance.map { now + $0 }, clock))
    }
    if let grant { schedule(grant) }
    failures.flush()
    return id
  }

  public func endTask(_ task: BackgroundTaskID) {
    let index = task.rawValue - 1
    let misuse = state.withLockDiscarding { state -> (String?, (Task?, Grant?)) in
      guard state.tasks.indices.contains(index) else {
        return (
          """
          Background task number \(task.rawValue) was ended but never begun. Pass an identifier \
          that beginTask(named:onExpiration:) of the same host returned.
          """, (nil, nil)
        )
      }
      let old = state.tasks[index]
      if old.status == .ended {
        return (
          """
          The background task "\(old.name)" was ended twice. End each task exactly once, when the \
          first of these happens: its work is done, it expires, or it is cancelled.
          """, (nil, nil)
        )
      }
      guard old.isRunning else { return (nil, (nil, nil)) }
      state.tasks[index].status = .ended
      state.tasks[index].handler = nil
      state.operations.append(.ended(old.name))
      return (nil, (old, state.takeUnusedGrant()))
    }
    if let misuse { failures.report(misuse, at: site) } else { failures.flush() }
  }

  /// The time for which the open tasks, or the next one if none is open, may still run; nil for no
  /// limit.
  ///
  /// A test can set the remaining time: the time of the open tasks then starts again, and later
  /// grants have the new duration.
  @MainActor public var remainingTime: Duration? {
    get {
      failures.flush()
      let now = clock.continuous
      return state.withLock { state in
        guard let grant = state.grant else { return state.allowance }
        return grant.deadline.map { max($0 - now, .zero) }
      }
    }
    set {
      let now = clock.continuous
      let grant = state.withLockDiscarding { state -> (Grant?, Grant?) in
        state.allowance = newValue
        guard let old = state.grant else { return (nil, nil) }
        return (state.begin(until: newValue.map { now + $0 }, clock), old)
      }
      if let grant { schedule(grant) }
    }
  }

  // MARK: The test's side

  /// The operations so far, from the oldest to the newest. Thread-safe.
  public var operations: [Operation] {
    failures.flush()
    return state.withLock { $0.operations }
  }

  /// The names of the tasks that have not ended, from the oldest to the newest. Thread-safe.
  public var openTasks: [String] {
    failures.flush()
    return state.withLock { state in state.running.map { state.tasks[$0].name } }
  }

  /// A Boolean value that indicates whether new tasks are granted; true by default. Thread-safe.
  public var isGranting: Bool {
    get { state.withLock { $0.isGranting } }
    set { state.withLock { $0.isGranting = newValue } }
  }

  /// Calls the expiration handlers of all open tasks, as a system does that reclaims the time. Each
  /// handler must have ended its task when it returns.
  @MainActor public func expire(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    expireAll(at: site)
  }

  /// Fails the test if a task is open. Thread-safe.
  public func expectNoOpenTasks(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    reportOpenTasks("when no open task was expected", at: site)
    failures.flush()
  }

  private func reportOpenTasks(_ time: String, at site: CallSite) {
    let names = state.withLockDiscarding { state -> ([String], ([Task], Grant?)) in
      let running = state.running
      let open = running.map { state.tasks[$0] }
      for index in running {
        state.tasks[index].status = .lost
        state.tasks[index].handler = nil
      }
      return (open.map(\.name), (open, state.takeUnusedGrant()))
    }
    for name in names {
      failures.report(
        """
        The background task "\(name)" was still open \(time). End every task: the system kills a \
        process that leaves one open.
        """,
        at: site
      )
    }
  }

  // MARK: Expiration

  private func schedule(_ grant: Grant) {
    grant.alarm.set(for: grant.deadline) { [weak self, number = grant.number] in
      self?.timeIsUp(number)
    }
  }

  private func timeIsUp(_ grant: Int) {
    MainQueue.run { [weak self] in
      guard let self else { return }
      expireAll(in: grant, at: site)
    }
  }

  /// - Parameter grant: The grant whose time has passed; nil for the current one.
  @MainActor private func expireAll(in grant: Int? = nil, at site: CallSite) {
    let now = clock.continuous
    let running = state.withLock { state -> [Int] in
      guard let current = state.grant, grant ?? current.number == current.number else { return [] }
      state.grant?.deadline = min(current.deadline ?? now, now)
      return state.running
    }
    for index in running { expire(index, at: site) }
    failures.flush()
  }

  @MainActor private func expire(_ index: Int, at site: CallSite) {
    let task = state.withLock { state -> Task? in
      let task = state.tasks[index]
      guard task.status == .open else { return nil }
      state.tasks[index].status = .expired
      state.tasks[index].handler = nil
      state.operations.append(.expired(task.name))
      return task
    }
    guard let task else { return }
    task.handler?()
    let isLost = state.withLockDiscarding { state -> (Bool, Grant?) in
      guard state.tasks[index].isRunning else { return (false, nil) }
      state.tasks[index].status = .lost
      return (true, state.takeUnusedGrant())
    }
    guard isLost else { return }
    failures.report(
      """
      The background task "\(task.name)" was still open when its expiration handler returned. The \
      system kills a process at that point. End the task in the handler.
      """,
      at: site
    )
  }
}
