import Foundation

/// A file that is replaced at once, when its new text is complete.
///
/// What is not a regular file, such as a pipe, is written directly, and so is a descriptor of this
/// process (`/dev/stdout`), where it stands. A symbolic link continues to exist: its target is
/// replaced.
package enum OutputFile {
  /// The reason why a file was not written, with the conventional status to exit with: 73 if it
  /// cannot be created, 74 if it cannot be written.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var description: String
    package var status: Int32
  }

  /// The place that the text is written to first.
  private enum Target {
    case descriptor(CInt)
    case special
    /// A new file beside the one to replace, with its mode; nil if there is none yet.
    case replacement(of: String, mode: mode_t?)
  }

  /// Writes a file. If that fails, an existing regular file is unchanged, and keeps its mode if it
  /// succeeds.
  package static func write(_ text: String, to path: String) throws(Failure) {
    let (descriptor, replacement) = try open(path)
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(text, to: descriptor)
    } catch {
      close(descriptor)
      if let replacement { unlink(replacement.new) }
      throw failure("write", path, error.errno, status: EX_IOERR)
    }
    let isWritten = close(descriptor) == 0
    guard isWritten, replacement.map({ rename($0.new, $0.old) }) ?? 0 == 0 else {
      let errno = errno
      if let replacement { unlink(replacement.new) }
      throw failure("write", path, errno, status: EX_IOERR)
    }
  }

  /// Checks that a file can be created, before work that takes long.
  package static func check(_ path: String) throws(Failure) {
    // To open a pipe would wait for its reader, who would then see the end.
    if case .special = try target(of: path) {
      guard access(path, W_OK) == 0 else {
        throw uncreatable(path, errno)
      }
      return
    }
    let (descriptor, replacement) = try open(path)
    close(descriptor)
    if let replacement { unlink(replacement.new) }
  }

  private static func open(
    _ path: String
  ) throws(Failure) -> (descriptor: CInt, replacement: (new: String, old: String)?) {
    let descriptor: CInt
    var replacement: (new: String, old: String)?
    switch try target(of: path) {
    case .descriptor(let original): descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
    case .special: descriptor = systemOpen(path, O_WRONLY | O_CLOEXEC, 0)
    case .replacement(let old, let mode):
      let new: String
      (descriptor, new) = openTemporaryFile(beside: old)
      if descriptor >= 0, let mode { fchmod(descriptor, mode) }
      replacement = (new, old)
    }
    guard descriptor >= 0 else { throw uncreatable(path, errno) }
    return (descriptor, replacement)
  }

  /// Creates a file with a new name: a run that was killed, whose process ID is in use again, may
  /// have left one.
  private static func openTemporaryFile(beside path: String) -> (descriptor: CInt, name: String) {
    var number = 1
    while true {
      let name = "\(path).\(getpid())-\(number)~"
      let descriptor = systemOpen(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 || errno != EEXIST { return (descriptor, name) }
      number += 1
    }
  }

  private static func target(of path: String) throws(Failure) -> Target {
    var resolved = path
    // As many links as the kernel follows.
    for _ in 0..<40 {
      if let descriptor = descriptor(named: resolved) { return .descriptor(descriptor) }
      var status = stat()
      let exists = stat(resolved, &status) == 0
      if exists, status.st_mode & S_IFMT == S_IFDIR {
        throw uncreatable(path, EISDIR)
      }
      if exists, status.st_mode & S_IFMT != S_IFREG || resolved.hasPrefix("/proc/") {
        return .special
      }
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: resolved) else {
        return .replacement(of: resolved, mode: exists ? status.st_mode & 0o7777 : nil)
      }
      let folder = resolved.lastIndex(of: "/").map { resolved[...$0] } ?? ""
      resolved = link.hasPrefix("/") ? link : folder + link
    }
    throw uncreatable(path, ELOOP)
  }

  /// The descriptor of this process that a path names.
  private static func descriptor(named path: String) -> CInt? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { CInt(path.dropFirst($0.count)) }.flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  /// Returns the failure to create a file or a folder.
  package static func uncreatable(_ path: String, _ errno: Int32) -> Failure {
    failure("create", path, errno, status: EX_CANTCREAT)
  }

  private static func failure(
    _ verb: String,
    _ path: String,
    _ errno: Int32,
    status: Int32
  ) -> Failure {
    Failure(
      description: "cannot \(verb) \(path): \(String(cString: strerror(errno)))",
      status: status
    )
  }
}

private func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  open(path, flags, mode)
}
