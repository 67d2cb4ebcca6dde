import LifecycleSources
import LifecycleSupport

/// The part of a session that the process's thread knows.
final class TerminalSessionCore: ProcessWatch {
  typealias State = TerminalSessionState

  /// The session that has the terminal, or waits for it, of which the process has one.
  private struct Current {
    var session: TerminalSessionCore?
    /// A Boolean value that indicates whether the process has called `exit`.
    var hasExited = false
  }

  private static let current = Locked(Current())
  private static let exitAction = ProcessExit.Action { TerminalSessionCore.restoreAtExit() }

  let focus = TerminalFocus()
  private let device: TerminalDevice
  private let state: Locked<State>
  private let process = getpid()

  /// Opens the terminal for the only session of the process.
  init(_ signalKeys: TerminalSession.SignalKeys) throws(TerminalSession.StartError) {
    device = try TerminalDevice()
    state = Locked(State(device, signalKeys))
    let isFirst = Self.current.withLock { current in
      guard current.session == nil else { return false }
      current.session = self
      return true
    }
    guard isFirst else {
      device.close()
      throw .secondSession
    }
    Self.exitAction.add()
  }

  var hasTerminal: Bool { state.withLock { $0.hasTerminal } }

  var interest: ProcessWatchInterest { state.withLock { $0.interest } }

  func handle(_ moment: ProcessWatchMoment) {
    switch moment {
    case .ready: perform { $0.read() }
    case .deadline: perform { $0.finishIfDue() }
    case .willStop: feed { .willStop($0) }
    case .didResume: feed { .resumed($0) }
    case .willEnd: feed { .ended($0) }
    case .continued: feed { .continued($0) }
    case .terminal: feed { .read($0) }
    }
  }

  /// Takes the terminal if the process is in the foreground, and not about to stop or to end. After
  /// a stop, the thread of the process calls this object.
  func open() {
    if !ProcessThread.isLeaving, !Self.current.withLock({ $0.hasExited }) { feed { .read($0) } }
    ProcessThread.wake()
  }

  /// Gives the terminal back, and ends the input.
  func end() {
    // A child by fork(2) shares the terminal, which is its parent's.
    guard process == getpid() else { return }
    feed { .closed($0) }
  }

  /// Closes the terminal, after the last call of this object.
  func close() {
    device.close()
    Self.current.discard { $0.session.take() }
  }

  private static func restoreAtExit() {
    let session = current.withLock { current in
      current.hasExited = true
      return current.session
    }
    guard let session, session.process == getpid() else { return }
    session.feed { .ended($0) }
  }

  /// Feeds the machine with the state of the terminal at this moment.
  private func feed(_ input: (ControllingTerminal.State) -> TerminalSessionMachine.Input) {
    perform { state in state.handle(input(state.device.state)) }
  }

  private func perform(_ body: (inout State) -> State.Effects) {
    let effects = state.withLock { body(&$0) }
    for isFocused in effects.focusReports { focus.report(isFocused, on: .another) }
    if effects.forgetsFocus { focus.forget() }
    for (waiter, bytes) in effects.resumed { waiter.resume(returning: bytes) }
  }
}

// MARK: - Input

extension TerminalSessionCore {
  /// Returns all bytes that are there, or waits for some; nil after the end, and if the task is
  /// cancelled.
  func nextInput(isolation: isolated (any Actor)?) async -> [UInt8]? {
    let id = state.withLock { $0.buffer.makeID() }
    return await withTaskCancellationHandler(
      operation: {
        await withCheckedContinuation(isolation: isolation) { waiter in
          let (result, wasFull) = state.withLock { state in
            let wasFull = !state.buffer.acceptsBytes
            return (state.buffer.take(id, waiter), wasFull)
          }
          if let result { waiter.resume(returning: result) }
          if wasFull { ProcessThread.wake() }
          if Task.isCancelled { cancel(id) }
        }
      },
      onCancel: { cancel(id) },
      isolation: isolation
    )
  }

  private func cancel(_ id: UInt64) {
    state.withLock { $0.buffer.cancel(id) }?.resume(returning: nil)
  }
}
