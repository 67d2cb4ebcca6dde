import LifecycleSources
import LifecycleSupport

/// The state of a session, guarded by its lock.
///
/// The calls of the terminal are made under the lock, because their order matters: they may come
/// from the process's thread, from a thread that closes the session, and from one that exits.
struct TerminalSessionState {
  typealias Waiter = CheckedContinuation<[UInt8]?, Never>

  /// The work that remains after the lock is released.
  struct Effects: Sendable {
    var focusReports: [Bool] = []
    var forgetsFocus = false
    var resumed: [(waiter: Waiter, bytes: [UInt8]?)] = []
  }

  /// The time after which an `ESC` that nothing follows is the key.
  private static let escapeTime = Duration.milliseconds(50)
  /// The time after a hang-up in which a `SIGHUP` from the kernel or the shell may end the process.
  private static let hangUpTime = Duration.seconds(1)

  let device: TerminalDevice
  let signalKeys: TerminalSession.SignalKeys
  var buffer = InputBuffer<Waiter>()
  private var machine = TerminalSessionMachine()
  private var parser = TerminalInputParser()
  /// The settings to restore, while the session has the terminal.
  private var saved: termios?
  /// The instant at which the bytes that the parser holds back become keys.
  private var escapeDeadline: SuspendingClock.Instant?
  /// The instant at which the input ends after a hang-up.
  private var inputDeadline: SuspendingClock.Instant?

  init(_ device: TerminalDevice, _ signalKeys: TerminalSession.SignalKeys) {
    self.device = device
    self.signalKeys = signalKeys
  }

  var hasTerminal: Bool { machine.possession == .taken }

  var interest: ProcessWatchInterest {
    guard hasTerminal else { return ProcessWatchInterest(deadline: inputDeadline) }
    return ProcessWatchInterest(
      descriptor: buffer.acceptsBytes ? device.descriptor : nil,
      events: Int16(POLLIN),
      deadline: escapeDeadline
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
    if let escapeDeadline, SuspendingClock.now >= escapeDeadline { flush(&effects) }
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
      device.send("\u{1B}[?1004l")
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
    device.send("\u{1B}[?1004h")
  }

  private mutating func flush(_ effects: inout Effects) {
    take(parser.flush(), &effects)
  }

  private mutating func take(_ input: TerminalInput, _ effects: inout Effects) {
    escapeDeadline = parser.isHoldingBack ? .now + Self.escapeTime : nil
    effects.focusReports += input.focusReports.map(\.isFocused)
    if let resumed = buffer.add(input.bytes) { effects.resumed.append(resumed) }
  }
}
