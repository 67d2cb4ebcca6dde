public import LifecycleCore
import LifecycleSupport

/// A coordinator that lets any number of tasks share the time that a ``BackgroundTaskHost`` grants.
///
/// The coordinator requests time from the host when the first task begins, and gives it back when
/// the last one has ended. When time is up, the expiration handlers of the open tasks are called on
/// the main actor, in the order in which the tasks were begun, and then the time is given back: no
/// task has to be ended in its handler. Work whose request is refused runs without a grant, so the
/// process may be suspended halfway.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: host)
/// let task = tasks.beginTask(named: "upload") { upload.pause() }
/// upload.start { task.end() }
/// ```
///
/// Begin tasks early: a process that is already in the background may be suspended before it has
/// made its request. One coordinator per host is enough, and means less work for the host.
public final class BackgroundTaskCoordinator: Sendable {
  private struct State {
    var machine = BackgroundTaskMachine()
    /// The tasks that share the grant.
    var cores: [Int: BackgroundTaskCore] = [:]

    mutating func takeExpired() -> BackgroundTaskCore? {
      machine.nextExpired().flatMap { cores.removeValue(forKey: $0) }
    }

    mutating func takeRefused() -> [BackgroundTaskCore] {
      guard machine.grantedTasks.isEmpty else { return [] }
      defer { cores = [:] }
      return Array(cores.values)
    }
  }

  private let host: any BackgroundTaskHost
  private let bus: @Sendable () -> LifecycleBusCore?
  private let state = Locked(State())

  /// Creates a coordinator for the tasks of a host.
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: host, of: bus)
  /// ```
  ///
  /// - Parameters:
  ///   - host: The host that grants the time.
  ///   - bus: The bus whose flight recorders record the beginning and the end of each task. The
  ///     coordinator does not keep it alive.
  public convenience init(
    host: any BackgroundTaskHost,
    of bus: (any LifecycleBusProtocol)? = nil
  ) {
    self.init(host: host, of: { [core = bus?.core] in core })
  }

  /// - Parameter bus: Returns the bus that records the tasks, if there is one. Called on any
  ///   thread, for each task that begins.
  package init(
    host: any BackgroundTaskHost,
    of bus: @escaping @Sendable () -> LifecycleBusCore?
  ) {
    self.host = host
    self.bus = bus
  }

  /// Begins a task that ends when its `end` method is called, when time is up, or, which is
  /// reported as an issue, when it is released.
  ///
  /// Thread-safe. A task that is begun inside an expiration handler has no grant, and its own
  /// handler is not called: there is no time left.
  ///
  /// - Parameters:
  ///   - name: The name that is shown in logs.
  ///   - onExpiration: Called on the main actor when time is up, at most once, and not after the
  ///     task has ended. When it is called, the task has already ended, and the process may be
  ///     suspended when the handlers of all tasks have returned: work that they start does not
  ///     delay that.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void = {},
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> BackgroundTask {
    let site = CallSite(fileID, filePath, line, column)
    let core = begin(name, onExpiration)
    return BackgroundTask(core, begunAt: site)
  }

  /// Begins a task that also ends with a scope.
  ///
  /// Otherwise behaves like ``beginTask(named:onExpiration:fileID:filePath:line:column:)``. The
  /// scope holds the task.
  ///
  /// In a scope that has ended, the task is ended at once, which is reported at the caller's line.
  ///
  /// ```swift
  /// tasks.beginTask(named: "upload", in: scope) { upload.pause() }
  /// ```
  @discardableResult
  public func beginTask(
    named name: String,
    in scope: consuming LifecycleScope,
    onExpiration: @escaping @MainActor @Sendable () -> Void = {},
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> BackgroundTask {
    let site = CallSite(fileID, filePath, line, column)
    let core = begin(name, onExpiration)
    let scope = (consume scope).core
    scope.insert(site, join: { core.join($0) }, end: { core.end(.cancelled) })
    core.leaveIfEnded()
    return BackgroundTask(core, begunAt: nil)
  }

  /// The time that the process may continue to run if it is in the background, or enters it now;
  /// nil without a limit, or if the host does not know.
  @MainActor public var remainingTime: Duration? { host.remainingTime }

  /// The names of the tasks for which time is held or requested, in the order in which they were
  /// begun. Thread-safe.
  public var grantedTasks: [String] {
    state.withLock { state in state.machine.grantedTasks.compactMap { state.cores[$0]?.name } }
  }

  // MARK: For tasks

  func isGranted(_ task: Int) -> Bool {
    state.withLock { $0.cores[task] != nil }
  }

  func end(_ task: Int) {
    let action = state.withLockDiscarding { state in
      (state.machine.end(task), state.cores.removeValue(forKey: task))
    }
    perform(action)
  }

  // MARK: The host

  func begin(
    _ name: String,
    _ onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskCore {
    let log = bus().flatMap { bus in
      bus.instantForTaps.map { ActivityLog(.backgroundTask, named: name, on: bus, at: $0) }
    }
    let (core, action) = state.withLock { state in
      let (task, action) = state.machine.begin()
      let core = BackgroundTaskCore(task, name, of: self, log, onExpiration)
      if state.machine.grantedTasks.last == task { state.cores[task] = core }
      return (core, action)
    }
    if case .requestGrant(let request) = action { requestGrant(request, name) }
    return core
  }

  private func requestGrant(_ request: Int, _ name: String) {
    let id = host.beginTask(named: name) { [weak self] in self?.expire(request) }
    let action = state.withLockDiscarding { state in
      let action = state.machine.granted(id)
      return (action, id == nil ? state.takeRefused() : [])
    }
    perform(action)
  }

  @MainActor private func expire(_ request: Int) {
    guard state.withLock({ $0.machine.expire(request) }) else { return }
    while let core = state.withLock({ $0.takeExpired() }) { core.expire() }
    perform(state.withLock { $0.machine.finishExpiring() })
  }

  private func perform(_ action: BackgroundTaskMachine.Action?) {
    if case .endGrant(let id) = action { host.endTask(id) }
  }
}

/// A pure state machine that decides which tasks share the host's grant, and what to request of the
/// host.
///
/// `requestGrant` requires an answer, `granted`. Until the answer comes, tasks may begin and end,
/// and time may already be up.
struct BackgroundTaskMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Request time from the host, and call `granted` with its answer to the request of this
    /// number.
    case requestGrant(Int)
    /// Give the time back.
    case endGrant(BackgroundTaskID)
  }

  private enum Grant: Hashable, Sendable {
    case none
    case requested
    case held(BackgroundTaskID)
    /// Time is up, and the expiration handlers are running.
    case expiring(Answer)
    /// The handlers have run, and the host has not answered yet.
    case expired
  }

  private enum Answer: Hashable, Sendable {
    case outstanding
    case granted(BackgroundTaskID)
    /// A refusal after time was up, which no host should give.
    case refused
  }

  private var grant = Grant.none
  private var lastRequest = 0
  private var lastTask = 0
  /// The tasks that share the grant, in the order in which they were begun.
  private(set) var grantedTasks: [Int] = []

  /// Begins a task. It has no grant while the previous grant is being given back.
  mutating func begin() -> (task: Int, action: Action?) {
    lastTask += 1
    switch grant {
    case .none:
      grantedTasks.append(lastTask)
      grant = .requested
      lastRequest += 1
      return (lastTask, .requestGrant(lastRequest))
    case .requested, .held:
      grantedTasks.append(lastTask)
    case .expiring, .expired: break
    }
    return (lastTask, nil)
  }

  /// Records the host's answer. A refusal leaves the tasks without a grant.
  mutating func granted(_ id: BackgroundTaskID?) -> Action? {
    switch grant {
    case .requested:
      guard let id else {
        grantedTasks = []
        grant = .none
        return nil
      }
      grant = .held(id)
      return endUnusedGrant()
    case .expiring:
      grant = .expiring(id.map(Answer.granted) ?? .refused)
      return nil
    case .expired:
      grant = .none
      return id.map(Action.endGrant)
    case .none, .held:
      return id.map(Action.endGrant)
    }
  }

  mutating func end(_ task: Int) -> Action? {
    guard let position = grantedTasks.firstIndex(of: task) else { return nil }
    grantedTasks.remove(at: position)
    return endUnusedGrant()
  }

  /// Records that the time of a request is up.
  ///
  /// - Returns: Whether to run the handlers: first those of `nextExpired`, then `finishExpiring`.
  mutating func expire(_ request: Int) -> Bool {
    guard request == lastRequest else { return false }
    switch grant {
    case .requested: grant = .expiring(.outstanding)
    case .held(let id): grant = .expiring(.granted(id))
    case .none, .expiring, .expired: return false
    }
    return true
  }

  /// Returns the next task whose time is up, which ends it.
  mutating func nextExpired() -> Int? {
    grantedTasks.isEmpty ? nil : grantedTasks.removeFirst()
  }

  mutating func finishExpiring() -> Action? {
    guard case .expiring(let answer) = grant else { return nil }
    grant = answer == .outstanding ? .expired : .none
    return if case .granted(let id) = answer { .endGrant(id) } else { nil }
  }

  private mutating func endUnusedGrant() -> Action? {
    guard grantedTasks.isEmpty, case .held(let id) = grant else { return nil }
    grant = .none
    return .endGrant(id)
  }
}
