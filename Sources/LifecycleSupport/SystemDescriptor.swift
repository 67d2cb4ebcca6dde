/// Descriptors of files.
package enum SystemDescriptor {
  /// Opens a file; if it is created, only the current user can read and write it.
  ///
  /// - Returns: A descriptor that a standard stream never has, which child processes do not
  ///   inherit; a negative number if the file can't be opened, for the reason in `errno`.
  package static func open(_ path: String, _ flags: Int32) -> Int32 {
    var opened: Int32
    repeat {
      opened = systemOpen(path, flags | O_CLOEXEC | O_NOCTTY)
    } while opened < 0 && errno == EINTR
    return aboveStreams(opened)
  }

  /// Moves a descriptor that was just opened away from where a closed standard stream was.
  ///
  /// What the program prints must not get into the descriptor, nor its contents into what the
  /// program reads.
  ///
  /// - Returns: A descriptor that a standard stream never has, which child processes do not
  ///   inherit; a negative number if `opened` is negative, or if there is none, for the reason in
  ///   `errno`.
  package static func aboveStreams(_ opened: Int32) -> Int32 {
    guard (0...STDERR_FILENO).contains(opened) else { return opened }
    let moved = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = errno
    systemClose(opened)
    errno = error
    return moved
  }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Opens a socket of the local domain.
  ///
  /// - Parameter kind: `Platform.streamSocket` or `Platform.datagramSocket`.
  /// - Returns: A descriptor as that of ``open(_:_:)``.
  package static func localSocket(_ kind: Int32) -> Int32 {
    #if canImport(Darwin)
      let socket = aboveStreams(socket(AF_UNIX, kind, 0))
      if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
      return socket
    #else
      return aboveStreams(socket(AF_UNIX, kind | O_CLOEXEC, 0))
    #endif
  }

  /// A Boolean value that indicates whether a standard stream is closed.
  package static var isStreamClosed: Bool {
    (0...STDERR_FILENO).contains { fcntl($0, F_GETFD) < 0 }
  }

  /// Calls the body while something lies where closed standard streams were, so that what the body
  /// has others open does not.
  package static func keepingAboveStreams<Result>(_ body: () -> Result) -> Result {
    var held: [Int32] = []
    defer { for descriptor in held { close(descriptor) } }
    // Neither read(2) nor write(2) does anything with a folder.
    func openFolder() -> Int32 { systemOpen("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    var next = openFolder()
    while (0...STDERR_FILENO).contains(next) {
      held.append(next)
      next = openFolder()
    }
    // The body may need all that are left.
    if next >= 0 { systemClose(next) }
    return body()
  }

  /// Returns the path of a file, independent of the current directory, which a program may change
  /// later; the path as it is if the current directory is unknown, or its path is not UTF-8.
  package static func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    let text = String(cString: directory)
    return strcmp(text, directory) == 0 ? "\(text)/\(path)" : path
  }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

/// Short files of the kernel, such as those of `/proc`.
package enum KernelFile {
  /// Returns the contents of a file, up to 64 KiB; nil if it can't be read.
  package static func text(at path: String) -> String? {
    let descriptor = SystemDescriptor.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return text(of: descriptor)
  }

  /// Returns the contents of an open file from its beginning, up to 64 KiB; nil if it can't be
  /// read.
  package static func text(of descriptor: Int32) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      var filled = 0
      while filled < buffer.count {
        let rest = buffer.baseAddress.map { $0 + filled }
        let count = pread(descriptor, rest, buffer.count - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        filled += count
      }
      return String(decoding: buffer.prefix(filled), as: UTF8.self)
    }
  }
}

/// Calls that write.
package enum SystemWrite {
  /// Calls a body that writes, so that it fails where a signal would end the process: with `EFBIG`
  /// at the limit of the size of files (`SIGXFSZ`), and with `EPIPE` if the reader of a pipe is
  /// gone (`SIGPIPE`).
  ///
  /// POSIX sends these signals to the thread that writes. It blocks them in the meantime, and takes
  /// those that arrive. `errno` is that of the body.
  package static func withoutSignals<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var (signals, previous, before) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    sigpending(&before)
    defer {
      let error = errno
      for signal in [SIGXFSZ, SIGPIPE] where sigismember(&before, signal) == 0 { take(signal) }
      pthread_sigmask(SIG_SETMASK, &previous, nil)
      errno = error
    }
    return try body()
  }

  /// Takes a signal that the thread blocks, if it is pending.
  private static func take(_ signal: Int32) {
    var (set, pending) = (sigset_t(), sigset_t())
    guard sigpending(&pending) == 0, sigismember(&pending, signal) == 1 else { return }
    sigemptyset(&set)
    sigaddset(&set, signal)
    #if canImport(Darwin)
      var taken: Int32 = 0
      sigwait(&set, &taken)
    #else
      // Unlike sigwait, it does not wait if another thread takes a signal of the process first.
      var none = timespec()
      while sigtimedwait(&set, nil, &none) < 0, errno == EINTR {}
    #endif
  }
}
