import LifecycleProcess
import LifecycleSupport

/// The part of a session that the process's thread knows.
final class TerminalSessionCore: ProcessWatch {
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
  private let state: Locked<TerminalSessionState>
  private let process = getpid()

  /// Opens the terminal for the only session of the process.
  init(_ signalKeys: TerminalSession.SignalKeys) throws(TerminalSession.StartError) {
    device = try TerminalDevice()
    state = Locked(TerminalSessionState(device, signalKeys))
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
    case .willStop: handle { .willStop($0) }
    case .didResume: handle { .resumed($0) }
    case .willEnd: handle { .ended($0) }
    case .continued: handle { .continued($0) }
    case .terminal: handle { .read($0) }
    }
  }

  /// Takes the terminal if the process is in the foreground, and not about to stop or to end. After
  /// a stop, the thread of the process calls this object.
  func open() {
    if !ProcessThread.isLeaving, !Self.current.withLock({ $0.hasExited }) { handle { .read($0) } }
    ProcessThread.wake()
  }

  /// Gives the terminal back, and ends the input.
  func end() {
    // A child by fork(2) shares the terminal, which is its parent's.
    guard process == getpid() else { return }
    handle { .closed($0) }
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
    session.handle { .ended($0) }
  }

  /// Passes an input to the machine, with the state of the terminal at this moment.
  private func handle(_ input: (ControllingTerminal.State) -> TerminalSessionMachine.Input) {
    perform { state in state.handle(input(state.device.state)) }
  }

  private func perform(
    _ body: (inout TerminalSessionState) -> TerminalSessionState.Effects
  ) {
    let effects = state.withLock { body(&$0) }
    for isFocused in effects.focusReports { focus.report(isFocused: isFocused) }
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

/// The state of a session, guarded by its lock.
///
/// The calls of the terminal are made under the lock, because their order matters: they may come
/// from the process's thread, from a thread that closes the session, and from one that exits.
private struct TerminalSessionState {
  typealias Waiter = CheckedContinuation<[UInt8]?, Never>

  /// The work that remains after the lock is released.
  struct Effects: Sendable {
    var focusReports: [Bool] = []
    var forgetsFocus = false
    var resumed: [(waiter: Waiter, bytes: [UInt8]?)] = []
  }

  /// The time after which an `ESC` that nothing follows is the key.
  private static let escapeTime = Duration.milliseconds(50)
  /// The time after which pasted text that nothing follows is at its end.
  private static let pasteTime = Duration.seconds(1)
  /// The time after a hang-up in which a `SIGHUP` from the kernel or the shell may end the process.
  private static let hangUpTime = Duration.seconds(1)

  let device: TerminalDevice
  let signalKeys: TerminalSession.SignalKeys
  var buffer = InputBuffer<Waiter>()
  private var machine = TerminalSessionMachine()
  private var parser = TerminalInputParser()
  /// The settings to restore, while the session has the terminal.
  private var saved: termios?
  /// Whether the terminal can report its focus.
  private let hasFocus = getenv("TERM").map { String(cString: $0) } != "dumb"
  /// The instant at which nothing has followed the last bytes for long enough.
  private var flushDeadline: SuspendingClock.Instant?
  /// The instant at which the input ends after a hang-up.
  private var inputDeadline: SuspendingClock.Instant?

  init(_ device: TerminalDevice, _ signalKeys: TerminalSession.SignalKeys) {
    self.device = device
    self.signalKeys = signalKeys
  }

  var hasTerminal: Bool { machine.possession == .taken }

  var interest: ProcessWatchInterest {
    guard hasTerminal else { return ProcessWatchInterest(deadline: inputDeadline) }
    // While the terminal is not read, it may have what follows.
    guard buffer.acceptsBytes || parser.isHoldingBack else { return ProcessWatchInterest() }
    return ProcessWatchInterest(
      descriptor: buffer.acceptsBytes ? device.descriptor : nil,
      events: Int16(POLLIN),
      deadline: flushDeadline
    )
  }
}

extension TerminalSessionState {
  mutating func handle(_ input: TerminalSessionMachine.Input) -> Effects {
    var effects = Effects()
    for action in machine.handle(input) { perform(action, &effects) }
    return effects
  }

  /// Reads what the terminal has, at most one piece of it.
  mutating func read() -> Effects {
    guard hasTerminal else { return Effects() }
    switch device.receive() {
    case .bytes(let bytes):
      var effects = Effects()
      take(parser.feed(bytes), &effects)
      return effects
    case .nothing:
      return Effects()
    case .failed:
      return handle(.read(device.state == .background ? .background : .gone))
    }
  }

  /// Passes on the bytes that the parser holds back, and ends the input after a hang-up, if their
  /// time has passed.
  mutating func finishIfDue() -> Effects {
    var effects = Effects()
    if let flushDeadline, SuspendingClock.now >= flushDeadline { flush(&effects) }
    if let deadline = inputDeadline, SuspendingClock.now >= deadline {
      inputDeadline = nil
      if machine.possession == .hungUp, !ProcessThread.isLeaving { endInput(&effects) }
    }
    return effects
  }

  private mutating func perform(
    _ action: TerminalSessionMachine.Action,
    _ effects: inout Effects
  ) {
    switch action {
    case .take:
      saved = device.settings()
      applyRawMode()
    case .takeAgain:
      applyRawMode()
    case .giveBack:
      if hasFocus { device.send("\u{1B}[?1004l") }
      // Reports that are under way would become input of the shell.
      TerminalDevice.drain(device.receive) { take(parser.feed($0), &effects) }
      if let saved { device.apply(saved) }
    case .forgetFocus:
      flush(&effects)
      parser = TerminalInputParser()
      effects.forgetsFocus = true
    case .endInput:
      endInput(&effects)
    case .endInputLater:
      inputDeadline = .now + Self.hangUpTime
    }
  }

  private mutating func endInput(_ effects: inout Effects) {
    effects.resumed += buffer.finish().map { ($0, nil) }
  }

  private func applyRawMode() {
    guard let saved else { return }
    device.apply(saved.raw(signalKeys: signalKeys))
    if hasFocus { device.send("\u{1B}[?1004h") }
  }

  private mutating func flush(_ effects: inout Effects) {
    take(parser.flush(), &effects)
  }

  private mutating func take(_ input: TerminalInput, _ effects: inout Effects) {
    let time =
      parser.isHoldingBack ? Self.escapeTime : parser.isPasting ? Self.pasteTime : nil
    flushDeadline = time.map { .now + $0 }
    effects.focusReports += input.focusReports.map(\.isFocused)
    if let resumed = buffer.add(input.bytes) { effects.resumed.append(resumed) }
  }
}

/// The bytes that wait for the program, and the calls of the program that wait for bytes.
///
/// While the buffer is full, the terminal is not read: the kernel keeps the input, up to its own
/// limit.
struct InputBuffer<Waiter: Sendable>: Sendable {
  /// The number of bytes from which on the buffer is full.
  static var limit: Int { 65_536 }

  private var bytes: [UInt8] = []
  private var waiters: [(id: UInt64, waiter: Waiter)] = []
  private var lastID: UInt64 = 0
  private var isFinished = false

  /// A Boolean value that indicates whether the terminal is to be read.
  var acceptsBytes: Bool { !isFinished && bytes.count < Self.limit }

  /// Adds bytes.
  ///
  /// - Returns: The waiter that receives them, if there is one, and what it receives.
  mutating func add(_ more: [UInt8]) -> (waiter: Waiter, bytes: [UInt8]?)? {
    guard !more.isEmpty, !isFinished else { return nil }
    guard !waiters.isEmpty else {
      bytes += more
      return nil
    }
    return (waiters.removeFirst().waiter, more)
  }

  /// Ends the input. Returns the waiters to resume with nil; they are more than one only if several
  /// tasks read.
  mutating func finish() -> [Waiter] {
    isFinished = true
    defer { waiters = [] }
    return waiters.map(\.waiter)
  }

  /// Returns a number by which the next waiter can be cancelled.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Returns all bytes, or the nil that stands for the end; adds the waiter if neither is there.
  mutating func take(_ id: UInt64, _ waiter: Waiter) -> [UInt8]?? {
    if !bytes.isEmpty {
      defer { bytes = [] }
      return .some(bytes)
    }
    if isFinished { return .some(nil) }
    waiters.append((id, waiter))
    return .none
  }

  /// Removes a waiter that was cancelled. Returns it if it was waiting.
  mutating func cancel(_ id: UInt64) -> Waiter? {
    waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).waiter }
  }
}
