public import LifecycleBackgroundWork
import LifecycleSupport
public import ReactiveLifecycle

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

  private struct State {
    var ledger = BackgroundTaskLedger()
    var operations: [Operation] = []
    var handlers: [BackgroundTaskID: @MainActor @Sendable () -> Void] = [:]
    var isGranting = true
    var allowance: Duration?
    var grant: Grant?
    var lastGrant = 0

    mutating func begin(until deadline: ContinuousInstant?, _ clock: any LifecycleClock) -> Grant {
      lastGrant += 1
      let grant = Grant(number: lastGrant, deadline: deadline, alarm: Alarm(clock))
      self.grant = grant
      return grant
    }

    /// Takes the grant if no task is open.
    mutating func takeUnusedGrant() -> Grant? {
      ledger.running.isEmpty ? grant.take() : nil
    }
  }

  /// The time that the open tasks share.
  private struct Grant {
    let number: Int
    /// The end of the time, as a reading of the clock; nil for no limit.
    var deadline: ContinuousInstant?
    /// The timer of the deadline, which is cancelled when it is released with the grant.
    let alarm: Alarm
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
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public init(
    clock: any LifecycleClock = ManualClock(),
    remainingTime: Duration? = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.clock = clock
    site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    state = Locked(State(allowance: remainingTime))
  }

  deinit { reportOpenTasks(at: site) { "when its host was released" } }

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
      let id = state.ledger.begin(name)
      state.operations.append(.began(name))
      state.handlers[id] = onExpiration
      guard state.grant == nil else { return (id, nil) }
      return (id, state.begin(until: state.allowance.map { now + $0 }, clock))
    }
    if let grant { schedule(grant) }
    failures.flush()
    return id
  }

  public func endTask(_ task: BackgroundTaskID) {
    typealias Unwanted = (handler: (@MainActor @Sendable () -> Void)?, grant: Grant?)
    let misuse = state.withLockDiscarding { state -> (BackgroundTaskLedger.Misuse?, Unwanted) in
      do throws(BackgroundTaskLedger.Misuse) {
        let name = try state.ledger.end(task)
        if let name { state.operations.append(.ended(name)) }
        return (nil, (state.handlers.removeValue(forKey: task), state.takeUnusedGrant()))
      } catch {
        return (error, (nil, nil))
      }
    }
    switch misuse {
    case .endedTwice(let name):
      failures.report(
        """
        The background task "\(name)" was ended twice. End each task exactly once, when the first \
        of these happens: its work is done, it expires, or it is cancelled.
        """,
        at: site
      )
    case .neverBegun:
      failures.report(
        """
        Background task number \(task.rawValue) was ended but never begun. Pass an identifier that \
        beginTask(named:onExpiration:) of the same host returned.
        """,
        at: site
      )
    case nil: failures.flush()
    }
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
    return state.withLock { $0.ledger.running.map(\.name) }
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    expireAll(at: site)
  }

  /// Calls the expiration handlers of the open tasks of a name. Each handler must have ended its
  /// task when it returns.
  ///
  /// - Parameter name: The name. If no open task has it, that is reported.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  @MainActor public func expire(
    _ name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let running = state.withLock { $0.ledger.running }
    let named = running.filter { $0.name == name }
    guard !named.isEmpty else {
      let others = running.map { "\"\($0.name)\"" }.joined(separator: ", ")
      failures.report(
        """
        The background task "\(name)" can't expire because it is not open. Open tasks: \
        \(others.isEmpty ? "none" : others).
        """,
        at: site
      )
      return
    }
    for (id, _) in named { expire(id, at: site) }
    failures.flush()
  }

  /// Fails the test if a task is open. Thread-safe.
  public func expectNoOpenTasks(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    reportOpenTasks(at: site) { "when no open task was expected" }
    failures.flush()
  }

  private func reportOpenTasks(at site: CallSite, _ when: () -> String) {
    typealias Handler = @MainActor @Sendable () -> Void
    let open = state.withLockDiscarding { state -> ([(String, Handler?)], Grant?) in
      let open = state.ledger.running.map { id, name in
        _ = state.ledger.lose(id)
        return (name, state.handlers.removeValue(forKey: id))
      }
      return (open, state.takeUnusedGrant())
    }
    for (name, _) in open {
      failures.report(
        """
        The background task "\(name)" was still open \(when()). End every task: the system kills a \
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
    let running = state.withLock { state -> [BackgroundTaskID] in
      guard let current = state.grant, grant ?? current.number == current.number else { return [] }
      state.grant?.deadline = min(current.deadline ?? now, now)
      return state.ledger.running.map(\.id)
    }
    for id in running { expire(id, at: site) }
    failures.flush()
  }

  @MainActor private func expire(_ id: BackgroundTaskID, at site: CallSite) {
    let (name, handler) = state.withLock { state -> (String?, (@MainActor @Sendable () -> Void)?) in
      guard let name = state.ledger.expire(id) else { return (nil, nil) }
      state.operations.append(.expired(name))
      return (name, state.handlers.removeValue(forKey: id))
    }
    guard let name else { return }
    handler?()
    let isLost = state.withLockDiscarding { state -> (Bool, Grant?) in
      (state.ledger.lose(id), state.takeUnusedGrant())
    }
    guard isLost else { return }
    failures.report(
      """
      The background task "\(name)" was still open when its expiration handler returned. The \
      system kills a process at that point. End the task in the handler.
      """,
      at: site
    )
  }
}
