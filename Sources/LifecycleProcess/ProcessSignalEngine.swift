import Dispatch
import LifecycleCore
import LifecycleSupport

/// The engine that serves all connections to the process's signals.
///
/// There is one for the process, which the first connection creates and the last one removes.
///
/// `current` is held while an engine is created or removed, so that no thread ever sees a partial
/// one. `state` is held briefly, by any thread. Neither is held while observers run. The engine's
/// thread never takes `current`, so a thread that removes the engine may wait for it.
final class ProcessSignalEngine: SignalHandling {
  /// The state of an engine that several threads access.
  struct State {
    private(set) var machine: JobControlMachine
    private(set) var connections: [SignalConnection] = []
    /// The announcement that the machine waits for.
    private(set) var awaited: SignalAnnouncement?
    /// The announcement of the end, for connections that join after it.
    private(set) var end: SignalAnnouncement?
    /// The exit request that a signal has led to, until it is answered.
    private(set) var exitRequest: SignalExitRequest?
    /// The instant at which the wait for observers and tasks ends, by the running time, regardless
    /// of the announcement's deadline.
    private var hurriedDeadline: SuspendingClock.Instant?
    /// A Boolean value that indicates whether the process has exited, all but its last moments.
    private(set) var hasExited = false
    /// A Boolean value that indicates whether the last connection has left.
    ///
    /// The thread is then to restore the former handlers and to return.
    private(set) var isClosing = false

    init(machine: JobControlMachine) {
      self.machine = machine
    }
  }

  private static let current = Locked<ProcessSignalEngine?>(nil)
  private static let exitActions = [
    ProcessExit.Action(at: .wait) { finishEnd(elseExits: false) },
    ProcessExit.Action(at: .seal) { finishEnd(elseExits: true) },
  ]

  let state: Locked<State>
  let terminal: ControllingTerminal
  let signals: TakenSignals
  /// Signaled once the former dispositions are restored.
  let hasEnded = DispatchSemaphore(value: 0)

  private init() throws {
    terminal = try ControllingTerminal()
    signals = TakenSignals(terminal: terminal)
    var machine = JobControlMachine(terminal: terminal.state)
    // A service manager may repeat its SIGTERM, and has SIGKILL.
    if terminal.descriptor == nil { machine.insisting = [.interrupt] }
    state = Locked(State(machine: machine))
  }

  func makeLoop(_ pipe: SignalPipe, _ early: [SignalPipe.Signal]) -> any SignalHandlingLoop {
    SignalLoop(engine: self, pipe: pipe, early: early)
  }
}

// MARK: - Connections

extension ProcessSignalEngine {
  /// Adds a connection, after starting the engine if there is none, and lets the connection report.
  static func join(_ connection: SignalConnection) throws {
    guard !ProcessThread.isForkedChild else {
      throw ProcessSignalSource.StartError(step: .thread, errno: ENOTSUP)
    }
    for action in exitActions { action.add() }
    let terminal = try current.withLock { current in
      let engine = try current ?? ProcessSignalEngine()
      // The engine receives signals from the moment at which the handlers are installed.
      let terminal = engine.state.withLock { $0.add(connection) }
      if current == nil { try engine.start() }
      current = engine
      // The thread unblocks the signals that were added, be it before an error.
      defer { ProcessThread.wake() }
      do {
        try engine.signals.take(connection.source.taken)
      } catch {
        // A signal that has come by then is carried out.
        engine.remove(connection)
        connection.abandon()
        // The last connection may have left meanwhile.
        removeIfUnused(&current)
        throw error
      }
      return terminal
    }
    connection.report(terminal)
    connection.expectTurn()
  }

  /// Removes a connection, and removes the engine with its last connection.
  ///
  /// While a stop or the end is under way, the engine carries that out first, and removes itself
  /// afterwards: the caller may be the observer that it waits for.
  static func leave(_ connection: SignalConnection) {
    guard !ProcessThread.isForkedChild else { return }
    guard !SignalThread.isCurrent else {
      // The bus was released on the engine's thread.
      return DispatchQueue.global().async { leave(connection) }
    }
    current.withLock { current in
      current?.remove(connection)
      removeIfUnused(&current)
    }
  }

  /// Removes the engine, on another thread, if it has no connection and nothing to do.
  static func removeSoon() {
    DispatchQueue.global().async { current.withLock { removeIfUnused(&$0) } }
  }

  private static func removeIfUnused(_ current: inout ProcessSignalEngine?) {
    guard let engine = current, engine.state.withLock({ $0.beginClosing() }) else { return }
    ProcessThread.wake()
    engine.hasEnded.wait()
    ProcessThread.releaseSignals()
    engine.terminal.close()
    current = nil
  }

  /// Returns whether a signal is ending the process and, unless it is nil, this bus is connected to
  /// the engine.
  static func isEnding(_ core: LifecycleBusCore?) -> Bool {
    guard !ProcessThread.isForkedChild, let engine = current.withLock({ $0 }) else { return false }
    return engine.state.withLock { state in
      state.machine.isEnding
        && (core == nil || state.connections.contains { $0.feed.core === core })
    }
  }

  /// Waits until the process has ended, if a signal is ending it: what has begun is not cut off by
  /// an exit. An observer of a connected bus that calls `exit` is not waited for.
  ///
  /// What only the calling thread may deliver, because it is on the main actor, it delivers here.
  ///
  /// - Parameter exits: Whether the process exits if no signal is ending it. One that comes after
  ///   that ends it at once.
  private static func finishEnd(elseExits exits: Bool) {
    guard !SignalThread.isCurrent, let engine = current.withLock({ $0 }) else { return }
    let (isEnding, connections) = engine.state.withLock { state in
      if exits { state.exitUnlessEnding() }
      let late = state.awaited?.late ?? []
      return (state.machine.isEnding, state.connections.unsharedForSanitizer + late)
    }
    guard isEnding, !connections.contains(where: { $0.feed.core.isCallingObserverHere }) else {
      return
    }
    ProcessExit.awaitSignal {
      for connection in engine.state.withLock({ $0.awaited?.late ?? [] }) {
        connection.feed.core.deliverIfOnlyHere()
      }
    }
  }

  private func start() throws {
    do {
      try ProcessThread.handOver(self)
    } catch {
      terminal.close()
      throw error
    }
  }

  private func remove(_ connection: SignalConnection) {
    let exitRequest = state.withLock { state in
      state.remove(connection)
      return state.exitRequest
    }
    exitRequest?.withdraw(from: connection)
  }
}

extension ProcessSignalEngine.State {
  /// Adds a connection and returns the terminal's state that the connection is to report.
  mutating func add(_ connection: SignalConnection) -> ControllingTerminal.State {
    connections.append(connection)
    updateChoices()
    if let end {
      end.expect(connection)
      connection.begin(end)  // held back: the connection has not reported yet
    }
    return machine.terminal
  }

  fileprivate mutating func remove(_ connection: SignalConnection) {
    connections.removeAll { $0 === connection }
    updateChoices()
  }

  /// Updates the choices of the machine from the current connections; has no effect if there are
  /// none.
  private mutating func updateChoices() {
    guard !connections.isEmpty else { return }
    let isObserved = connections.contains { $0.source.termination == .observe }
    machine.termination = isObserved ? .observe : .reraise
    machine.requestsExit = connections.contains { $0.source.exitRequestTime != nil }
    machine.reloads = connections.reduce(into: []) { $0.formUnion($1.source.reload) }
  }

  /// A Boolean value that indicates whether there is no connection, and nothing under way.
  var isUnused: Bool { connections.isEmpty && machine.isIdle }

  mutating func exitUnlessEnding() { hasExited = !machine.isEnding }

  /// The connections, unless something is under way.
  var idleConnections: [SignalConnection] {
    machine.isIdle ? connections.unsharedForSanitizer : []
  }

  fileprivate mutating func beginClosing() -> Bool {
    guard isUnused else { return false }
    isClosing = true
    return true
  }
}

// MARK: - Inputs

extension ProcessSignalEngine.State {
  /// Passes an input to the machine, and returns its actions.
  mutating func handle(_ input: JobControlInput) -> [JobControlAction] {
    switch input {
    case .signal(let signal, _) where hasExited && machine.endsProcess(signal):
      return [.die(signal)]
    // The exit would cut off the observers of the end.
    case .exitAnswered where hasExited: return []
    default: break
    }
    return machine.handle(input)
  }

  /// Makes an announcement to the connections of this moment, which are returned with it.
  ///
  /// Those that have joined since the machine decided are among them. They have reported the
  /// terminal's state after that, so their buses suppress an announcement of it; nothing else
  /// gives them the end, or a request to reload.
  mutating func announce(
    _ kind: LifecycleEvent.Kind,
    signal: JobControlSignal?,
    at moment: SignalMoment?,
    isAwaited: Bool
  ) -> (SignalAnnouncement, [SignalConnection]) {
    let announcement = SignalAnnouncement(
      kind,
      signal: signal,
      moment: moment,
      timeout: isAwaited ? connections.map(\.source.deadline).max() ?? .zero : nil
    )
    for connection in connections { announcement.expect(connection) }
    if isAwaited { awaited = announcement }
    if kind == .willTerminate { end = announcement }
    return (announcement, connections.unsharedForSanitizer)
  }

  /// Makes an exit request to the observers of the connections of this moment.
  mutating func makeExitRequest(for signal: JobControlSignal) -> SignalExitRequest {
    let timeout = connections.compactMap(\.source.exitRequestTime).max() ?? .zero
    let exitRequest = SignalExitRequest(signal, connections.unsharedForSanitizer, timeout: timeout)
    self.exitRequest = exitRequest
    return exitRequest
  }

  /// Leaves observers and tasks only the least time, counted from the announcement of the end.
  mutating func hurry() {
    hurriedDeadline = end.map { $0.begun + .nanoseconds(JobControlMachine.leastTime) }
  }

  /// The instant at which the machine is notified that the deadline has passed, by the running
  /// time.
  var deadline: SuspendingClock.Instant? {
    earlier(awaited?.deadline, hurriedDeadline)
  }

  /// A Boolean value that indicates whether a second signal hurries the end.
  var isHurried: Bool { hurriedDeadline != nil }

  /// Ends the wait for an announcement, unless another one is awaited by now.
  mutating func finish(_ announcement: SignalAnnouncement) {
    if awaited === announcement { awaited = nil }
  }

  /// Removes the exit request, and returns it.
  mutating func takeExitRequest() -> SignalExitRequest? { exitRequest.take() }
}
