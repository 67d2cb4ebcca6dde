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
    close(opened)
    errno = error
    return moved
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
    if next >= 0 { close(next) }
    return body()
  }

  /// Returns the path of a file, independent of the current directory, which a program may change
  /// later; the path as it is if the current directory is unknown.
  package static func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return "\(String(cString: directory))/\(path)"
  }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
