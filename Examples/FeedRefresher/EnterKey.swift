import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reports when Enter is pressed on the terminal that standard input leads to, or when a line
/// arrives through a pipe.
///
/// The key is read only while it is enabled and while the process has the terminal: SIGTTIN stops a
/// process that reads in the background. A file is not read; once the input has ended (Ctrl-D),
/// nothing is reported.
@MainActor
final class EnterKey {
  /// A Boolean value that indicates whether to read input.
  var isEnabled = false {
    didSet { if isEnabled != oldValue { isEnabled ? start() : stop() } }
  }

  private let descriptor: CInt
  private let onPress: @MainActor @Sendable () -> Void
  private let queue = DispatchQueue(label: "enter-key")
  private var source: (any DispatchSourceRead)?
  private var hasEnded: Bool

  /// - Parameters:
  ///   - descriptor: The descriptor of standard input.
  ///   - onPress: Called on the main actor, once for all lines that were typed in the meantime.
  init(descriptor: CInt, onPress: @escaping @MainActor @Sendable () -> Void) {
    self.descriptor = descriptor
    self.onPress = onPress
    hasEnded = !Self.isTypedInto(descriptor)
  }

  private func start() {
    guard !hasEnded else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { @Sendable [descriptor, weak self] in
      let finding = Self.read(descriptor)
      guard finding != .nothing else { return }
      DispatchQueue.main.async { self?.take(finding) }
    }
    source.activate()
    self.source = source
  }

  private func stop() {
    source?.cancel()
    source = nil
  }

  private func take(_ finding: Finding) {
    switch finding {
    case .enter: if isEnabled { onPress() }
    case .nothing: break
    case .end:
      hasEnded = true
      stop()
    }
  }

  private enum Finding {
    case enter, nothing, end
  }

  /// Reads the typed input. Must not run on a thread that other work needs.
  private nonisolated static func read(_ descriptor: CInt) -> Finding {
    guard isOurs(descriptor) else {
      // Another program has the terminal and receives what is typed there. The phase will change.
      usleep(100_000)
      return .nothing
    }
    // The terminal may change hands here. A thread that blocks the signal then gets an error.
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTIN)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(descriptor, &bytes, bytes.count)
    if count > 0 { return bytes[..<count].contains(UInt8(ascii: "\n")) ? .enter : .nothing }
    if count < 0, errno == EINTR || errno == EAGAIN { return .nothing }
    return count < 0 && !isOurs(descriptor) ? .nothing : .end
  }

  /// Returns whether input may arrive later: from a terminal, a pipe or a socket.
  private nonisolated static func isTypedInto(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return isatty(descriptor) == 1 || [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  private nonisolated static func isOurs(_ descriptor: CInt) -> Bool {
    let group = tcgetpgrp(descriptor)
    // Without a terminal, or with one that does not control this process, no reader is stopped.
    return group < 0 || group == getpgrp()
  }
}

private let systemRead = read
