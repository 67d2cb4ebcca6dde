import CLifecycleShims
import Dispatch
import LifecycleSupport
import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Serves all connections to the process' signals: one for the process, made by the first
/// connection and removed with the last.
///
/// `current` is held while an engine is made or removed, so that no thread ever sees half of one.
/// `state` is held for moments, by any thread. Neither is held while observers run, and the engine's
/// thread never takes `current`, so whoever removes the engine may wait for that thread.
final class ProcessSignalEngine: Sendable {
  /// What several threads see of an engine.
  struct State {
    var machine: JobControlMachine
    var connections: [SignalConnection] = []
    /// The announcement that the machine waits for.
    var awaited: SignalAnnouncement?
    /// When that is no longer waited for, whatever its own deadline.
    var hurriedDeadline: SuspendingClock.Instant?
    /// The announcement of the end, for those who join after it.
    var end: SignalAnnouncement?
    /// The last connection has gone; the thread is to restore what was there and to return.
    var isClosing = false

    /// When the machine is told that the deadline has passed.
    var deadline: SuspendingClock.Instant? {
      [awaited?.deadline, hurriedDeadline].compactMap { $0 }.min()
    }
  }

  /// What exists only while an engine does; guarded by `current`.
  private struct Installation {
    let engine: ProcessSignalEngine
    let thread: SignalThread
    let records: SignalRecords
  }

  private static let current = Locked<Installation?>(nil)

  let state: Locked<State>
  let terminal: ControllingTerminal

  private init(terminal: ControllingTerminal) {
    self.terminal = terminal
    state = Locked(State(machine: JobControlMachine(terminal: terminal.state)))
  }
}

extension ProcessSignalEngine {
  /// Adds a connection, after starting the engine if there is none, and lets it report.
  static func join(_ connection: SignalConnection) throws {
    let terminal = try current.withLock { current in
      if let engine = current?.engine { return engine.add(connection) }
      let engine = ProcessSignalEngine(terminal: ControllingTerminal())
      // It receives signals from the moment on at which the handlers are there.
      let terminal = engine.add(connection)
      current = try install(engine)
      return terminal
    }
    connection.report(terminal)
  }

  /// Removes a connection, and the engine with the last one.
  ///
  /// While a stop or the end is under way the engine carries that out first, and removes itself
  /// after: the caller may be the observer that it waits for.
  static func leave(_ connection: SignalConnection) {
    guard !SignalThread.isCurrent else {
      // A bus that was released on the engine's thread.
      return DispatchQueue.global().async { leave(connection) }
    }
    current.withLock { current in
      current?.engine.remove(connection)
      removeIfUnused(&current)
    }
  }

  /// Removes the engine if it has no connection and nothing to do.
  private static func removeIfUnused() {
    current.withLock { removeIfUnused(&$0) }
  }

  private static func removeIfUnused(_ current: inout Installation?) {
    guard let installation = current, installation.engine.beginClosing() else { return }
    lifecycle_pipe_write(0)
    installation.thread.join()
    installation.records.close()
    installation.engine.terminal.close()
    current = nil
  }

  private static func install(
    _ engine: ProcessSignalEngine
  ) throws(ProcessSignalSource.StartError) -> Installation {
    var undo: [() -> Void] = [{ engine.terminal.close() }]
    do throws(ProcessSignalSource.StartError) {
      let records = try SignalRecords()
      undo.insert(contentsOf: [lifecycle_pipe_detach, records.sendAgain, records.close], at: 0)
      let jobControl = try JobControlDispositions()
      undo.insert({ jobControl.restore() }, at: 0)
      let ends = try DispatchSignals()
      undo.insert({ ends.cancel() }, at: 0)
      let thread = try SignalThread {
        var loop = SignalLoop(
          engine: engine,
          records: records,
          dispositions: jobControl,
          ends: ends
        )
        loop.run()
      }
      return Installation(engine: engine, thread: thread, records: records)
    } catch {
      for step in undo { step() }
      throw error
    }
  }

  /// Asks for `removeIfUnused`, on another thread.
  static func removeSoon() {
    DispatchQueue.global().async { removeIfUnused() }
  }
}

extension ProcessSignalEngine {
  /// Adds a connection and returns the terminal's state that it has to report.
  private func add(_ connection: SignalConnection) -> TerminalState {
    state.withLock { state in
      state.connections.append(connection)
      state.updateTermination()
      if let end = state.end {
        end.expect(connection)
        connection.begin(end)  // held back: the connection has not reported yet
      }
      return state.machine.terminal
    }
  }

  private func remove(_ connection: SignalConnection) {
    state.withLock { state in
      state.connections.removeAll { $0 === connection }
      state.updateTermination()
    }
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
  /// The last word of those that are connected. Nobody's word changes nothing.
  fileprivate mutating func updateTermination() {
    guard !connections.isEmpty else { return }
    let isObserved = connections.contains { $0.source.termination == .observe }
    machine.termination = isObserved ? .observe : .reraise
  }
}
