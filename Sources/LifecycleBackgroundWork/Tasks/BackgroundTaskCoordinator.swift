import LifecycleSupport
public import ReactiveLifecycle

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
  public convenience init(host: any BackgroundTaskHost) {
    self.init(host: host, recordedOn: { nil })
  }

  /// Creates a coordinator for the tasks of a host, which are recorded with a bus.
  ///
  /// Flight recorders of the bus record the beginning and the end of each task. The coordinator
  /// does not keep the bus alive.
  ///
  /// ```swift
  /// let tasks = BackgroundTaskCoordinator(host: host, recordedOn: bus)
  /// ```
  public convenience init(host: any BackgroundTaskHost, recordedOn bus: some LifecycleBusProtocol) {
    self.init(host: host, recordedOn: { [core = bus.core] in core })
  }

  /// - Parameter bus: Returns the bus that records the tasks, if there is one. Called on any
  ///   thread, for each task that begins.
  package init(
    host: any BackgroundTaskHost,
    recordedOn bus: @escaping @Sendable () -> LifecycleBusCore?
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
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = begin(name, onExpiration, site)
    let scope = (consume scope).core
    scope.insert(core, site) { core.join($0) }
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

  private func begin(
    _ name: String,
    _ onExpiration: @escaping @MainActor @Sendable () -> Void,
    _ site: CallSite
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
