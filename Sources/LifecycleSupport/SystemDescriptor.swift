#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Descriptors of files.
package enum SystemDescriptor {
  /// Opens a file; if it is created, only the current user can read and write it.
  ///
  /// - Returns: A descriptor that a standard stream never has, which child processes do not inherit;
  ///   a negative number if the file can't be opened, for the reason in `errno`.
  package static func open(_ path: String, _ flags: Int32) -> Int32 {
    var opened: Int32
    repeat {
      opened = systemOpen(path, flags | O_CLOEXEC | O_NOCTTY)
    } while opened < 0 && errno == EINTR
    guard (0...STDERR_FILENO).contains(opened) else { return opened }
    // A standard stream is closed. The program's output must not get into the file.
    let moved = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = errno
    close(opened)
    errno = error
    return moved
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
