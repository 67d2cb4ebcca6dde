import LifecycleSupport
public import ReactiveLifecycle

/// Lets any number of tasks share the time that a ``BackgroundTaskHost`` grants.
///
/// The host is asked when the first task begins, and gets the time back when the last one has ended.
/// When time is up, the expiration handlers of the open tasks are called on the main actor, in the order
/// in which the tasks were begun, and then the time is given back: no task has to be ended in its
/// handler. Work whose time is refused runs without a grant: the process may be suspended halfway.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: host)
/// let task = tasks.beginTask(named: "upload") { upload.pause() }
/// upload.start { task.end() }
/// ```
///
/// Begin early: a process that is in the background already may be suspended before it has asked. One
/// coordinator a host is enough, and saves it work.
public final class BackgroundTaskCoordinator: Sendable {
  private struct State {
    var machine = BackgroundTaskMachine()
    /// Those that share the grant.
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
  private let state = Locked(State())

  /// A coordinator of the tasks of a host.
  public init(host: any BackgroundTaskHost) {
    self.host = host
  }

  /// Begins a task that ends when it is told to, when its time is up, or, which is reported, when it is
  /// released.
  ///
  /// Any thread. One that is begun inside an expiration handler has no grant, and is not told when time
  /// is up: there is none left.
  ///
  /// - Parameters:
  ///   - name: For people who look at logs.
  ///   - onExpiration: Called at most once, on the main actor, when time is up; not after the task has
  ///     ended. The task has ended with that, and the process may be suspended when the handlers of all
  ///     tasks have returned: what they start does not count.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void = {},
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> BackgroundTask {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = begin(name, onExpiration, site)
    return BackgroundTask(core, begunAt: site)
  }

  /// Begins a task that also ends with a scope: see
  /// ``beginTask(named:onExpiration:fileID:filePath:line:column:)``. The scope holds it.
  ///
  /// In a scope that has ended, the task is ended at once, and that is reported at the caller's line.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = begin(name, onExpiration, site)
    let scope = (consume scope).core
    scope.insert(core, site) { core.join($0) }
    core.leaveIfEnded()
    return BackgroundTask(core, begunAt: nil)
  }

  /// How long the process may run on, if it is in the background, or goes there now; nil without a
  /// limit, or if the host does not know.
  @MainActor public var remainingTime: Duration? { host.remainingTime }

  /// The names of the tasks for which time is held, in the order in which they were begun. Any thread.
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

  private func begin(
    _ name: String,
    _ onExpiration: @escaping @MainActor @Sendable () -> Void,
    _ site: CallSite
  ) -> BackgroundTaskCore {
    let (core, action) = state.withLock { state in
      let (task, action) = state.machine.begin()
      let core = BackgroundTaskCore(task, name, of: self, onExpiration)
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
