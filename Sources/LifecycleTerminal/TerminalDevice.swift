import LifecycleProcess
package import LifecycleSupport

/// The controlling terminal, opened for the session alone: its other descriptors may block.
package struct TerminalDevice: Sendable {
  /// The result of a read.
  package enum Reading {
    case bytes([UInt8])
    /// No input is available.
    case nothing
    /// The terminal has hung up, or the process may not read from it.
    case failed
  }

  /// The time for which a terminal that accepts no output may delay the session, in milliseconds.
  private static let writingTime: Int32 = 200

  let descriptor: Int32
  private let terminal: ControllingTerminal

  package init() throws(TerminalSession.StartError) {
    descriptor = SystemDescriptor.open(Self.path, O_RDWR | O_NONBLOCK)
    guard descriptor >= 0 else { throw .noTerminal(errno: errno) }
    terminal = ControllingTerminal(descriptor: descriptor)
  }

  /// On Darwin, poll(2) does not support `/dev/tty`.
  private static var path: String {
    #if canImport(Darwin)
      let names = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].lazy.compactMap { ttyname($0) }
      if let name = names.first { return String(cString: name) }
    #endif
    return "/dev/tty"
  }

  var state: ControllingTerminal.State { terminal.state }

  /// Returns the settings; nil if the terminal has hung up.
  package func settings() -> termios? {
    var settings = termios()
    return tcgetattr(descriptor, &settings) == 0 ? settings : nil
  }

  /// Changes the settings at once. Input and output that are under way stay.
  package func apply(_ settings: termios) {
    var settings = settings
    withoutStopping { _ = tcsetattr(descriptor, TCSANOW, &settings) }
  }

  package func send(_ text: StaticString) {
    withoutStopping { sendAll(text) }
  }

  private func sendAll(_ text: StaticString) {
    var rest = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count < 0, errno == EINTR {
        continue
      } else {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, Self.writingTime) > 0, entry.revents == Int16(POLLOUT) else { return }
      }
    }
  }

  package func receive() -> Reading {
    withoutStopping { receiveSome() }
  }

  private func receiveSome() -> Reading {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .failed
  }

  package func close() { terminal.close() }
}

extension TerminalDevice {
  /// The number of bytes that a session takes from the terminal when it gives that back.
  static let drainLimit = 65_536

  /// Passes all that is available to the body, in pieces, up to a limit: a terminal may be written
  /// to without end.
  static func drain(_ receive: () -> Reading, _ body: ([UInt8]) -> Void) {
    var count = 0
    while count < drainLimit, case .bytes(let bytes) = receive() {
      count += bytes.count
      body(bytes)
    }
  }

  /// Calls the body while this thread blocks the signals that stop a job of the background when it
  /// uses its terminal: the job may have gone there since the state was read.
  private func withoutStopping<Result>(_ body: () -> Result) -> Result {
    var (signals, previous) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    sigaddset(&signals, SIGTTIN)
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }
}

extension termios {
  /// Returns the settings for a program that reads keys one by one.
  ///
  /// Like `cfmakeraw`, except that output is processed as before, so that a line feed begins a
  /// line, and that some keys may still send signals. Such a key discards neither input nor output.
  func raw(signalKeys: TerminalSession.SignalKeys) -> termios {
    var settings = self
    let input =
      IGNBRK | BRKINT | PARMRK | INPCK | ISTRIP | INLCR | IGNCR | ICRNL | IXON
    settings.c_iflag &= ~tcflag_t(input)
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
    settings.c_lflag |= tcflag_t(NOFLSH) | (signalKeys.isEmpty ? 0 : tcflag_t(ISIG))
    settings.c_cflag &= ~tcflag_t(CSIZE | PARENB)
    settings.c_cflag |= tcflag_t(CS8)
    settings.setCharacter(VMIN, to: 1)
    settings.setCharacter(VTIME, to: 0)
    let keys: [(TerminalSession.SignalKeys, Int32)] = [
      (.interrupt, VINTR), (.quit, VQUIT), (.suspend, VSUSP),
    ]
    for (key, index) in keys where !signalKeys.contains(key) {
      settings.setCharacter(index, to: Platform.disabledKey)
    }
    #if canImport(Darwin)
      settings.setCharacter(VDSUSP, to: Platform.disabledKey)
    #endif
    return settings
  }

  private mutating func setCharacter(_ index: Int32, to character: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = character }
  }
}
