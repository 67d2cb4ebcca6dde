import CLifecycleShims
import Dispatch
import LifecycleSupport
import ReactiveLifecycle

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
    var machine: JobControlMachine
    var connections: [SignalConnection] = []
    /// The announcement that the machine waits for.
    var awaited: SignalAnnouncement?
    /// The instant at which that wait ends, by the running time, regardless of the announcement's
    /// deadline.
    var hurriedDeadline: SuspendingClock.Instant?
    /// The announcement of the end, for connections that join after it.
    var end: SignalAnnouncement?
    /// The question whether a signal may end the process.
    var question: SignalQuestion?
    /// A Boolean value that indicates whether the last connection has left.
    ///
    /// The thread is then to restore the former handlers and to return.
    var isClosing = false

    /// The instant at which the machine is notified that the deadline has passed, by the running
    /// time.
    var deadline: SuspendingClock.Instant? {
      [awaited?.deadline, hurriedDeadline].compactMap { $0 }.min()
    }
  }

  private static let current = Locked<ProcessSignalEngine?>(nil)

  let state: Locked<State>
  let terminal: ControllingTerminal
  let signals: TakenSignals
  /// Signaled once the former dispositions are restored.
  let hasEnded = DispatchSemaphore(value: 0)

  private init(terminal: ControllingTerminal) {
    self.terminal = terminal
    signals = TakenSignals(terminal: terminal)
    state = Locked(State(machine: JobControlMachine(terminal: terminal.state)))
  }
}

extension ProcessSignalEngine {
  func makeLoop(_ records: SignalRecords) -> any SignalHandlingLoop {
    SignalLoop(engine: self, records: records)
  }

  /// Adds a connection, after starting the engine if there is none, and lets the connection report.
  static func join(_ connection: SignalConnection) throws {
    guard !ProcessThread.isForkedChild else {
      throw ProcessSignalSource.StartError(step: .thread, errno: ENOTSUP)
    }
    let terminal = try current.withLock { current in
      if let engine = current {
        let terminal = engine.add(connection)
        // The thread unblocks the signals that were added, be it before an error.
        defer { ProcessThread.wake() }
        do {
          try engine.signals.take(connection.source.taken)
        } catch {
          engine.remove(connection)
          connection.abandon()
          // The last connection may have left meanwhile.
          removeIfUnused(&current)
          throw error
        }
        return terminal
      }
      let engine = ProcessSignalEngine(terminal: try ControllingTerminal())
      // The engine receives signals from the moment at which the handlers are installed.
      let terminal = engine.add(connection)
      try install(engine, taking: connection.source.taken)
      current = engine
      return terminal
    }
    connection.report(terminal)
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

  /// Removes the engine if it has no connection and nothing to do.
  private static func removeIfUnused() {
    current.withLock { removeIfUnused(&$0) }
  }

  private static func removeIfUnused(_ current: inout ProcessSignalEngine?) {
    guard let engine = current, engine.beginClosing() else { return }
    ProcessThread.wake()
    engine.hasEnded.wait()
    ProcessThread.releaseSignals()
    engine.terminal.close()
    current = nil
  }

  private static func install(
    _ engine: ProcessSignalEngine,
    taking taken: ProcessSignalSource.Signals
  ) throws(ProcessSignalSource.StartError) {
    do throws(ProcessSignalSource.StartError) {
      try ProcessThread.expectSignals()
      do throws(ProcessSignalSource.StartError) {
        try engine.signals.take(taken)
      } catch {
        engine.signals.restore()
        ProcessThread.releaseSignals()
        throw error
      }
      ProcessThread.handOver(engine)
    } catch {
      engine.terminal.close()
      throw error
    }
  }

  /// A Boolean value that indicates whether a signal is ending the process.
  static var isEnding: Bool {
    guard !ProcessThread.isForkedChild else { return false }
    let engine = current.withLock { $0 }
    return engine?.state.withLock { $0.machine.isEnding } ?? false
  }

  /// Returns whether a signal is ending the process, and this bus is connected to the engine.
  static func isEnding(_ core: LifecycleBusCore) -> Bool {
    guard !ProcessThread.isForkedChild else { return false }
    let engine = current.withLock { $0 }
    return engine?.state.withLock { state in
      state.machine.isEnding && state.connections.contains { $0.input.core === core }
    } ?? false
  }

  /// Calls `removeIfUnused` on another thread.
  static func removeSoon() {
    DispatchQueue.global().async { removeIfUnused() }
  }
}

extension ProcessSignalEngine {
  /// Adds a connection and returns the terminal's state that the connection is to report.
  private func add(_ connection: SignalConnection) -> TerminalState {
    state.withLock { state in
      state.connections.append(connection)
      state.updateChoices()
      if let end = state.end {
        end.expect(connection)
        connection.begin(end)  // held back: the connection has not reported yet
      }
      return state.machine.terminal
    }
  }

  private func remove(_ connection: SignalConnection) {
    let question = state.withLock { state in
      state.connections.removeAll { $0 === connection }
      state.updateChoices()
      return state.question
    }
    question?.withdraw(from: connection)
  }

  private func beginClosing() -> Bool {
    state.withLock { state in
      guard state.connections.isEmpty, state.machine.isIdle else { return false }
      state.isClosing = true
      return true
    }
  }
}

extension ProcessSignalEngine.State {
  /// Updates the choices of the machine from the current connections; has no effect if there are
  /// none.
  fileprivate mutating func updateChoices() {
    guard !connections.isEmpty else { return }
    let isObserved = connections.contains { $0.source.termination.choice == .observe }
    machine.termination = isObserved ? .observe : .reraise
    machine.asks = connections.contains { $0.source.termination.timeToAsk != nil }
    machine.reloads = connections.reduce(into: []) { $0.formUnion($1.source.reload) }
  }
}
