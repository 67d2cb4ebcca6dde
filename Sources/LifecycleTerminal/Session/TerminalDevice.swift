import LifecycleSources

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The controlling terminal, opened for the session alone: its other descriptors may block.
struct TerminalDevice: Sendable {
  /// The result of a read.
  enum Reading {
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

  init() throws(TerminalSession.StartError) {
    descriptor = open(Self.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
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

  var state: TerminalState { terminal.state }

  /// Returns the settings; nil if the terminal has hung up.
  func settings() -> termios? {
    var settings = termios()
    return tcgetattr(descriptor, &settings) == 0 ? settings : nil
  }

  /// Changes the settings at once. Input and output that are under way stay.
  func apply(_ settings: termios) {
    var settings = settings
    while tcsetattr(descriptor, TCSANOW, &settings) != 0, errno == EINTR {}
  }

  func send(_ text: StaticString) {
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

  func receive() -> Reading {
    let capacity = 4_096
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      count = read(descriptor, buffer.baseAddress, capacity)
      initialized = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .failed
  }

  func close() {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #endif
  }
}
