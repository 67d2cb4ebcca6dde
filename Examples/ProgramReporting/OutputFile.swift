import Foundation

/// A file that is replaced at once, when its new text is complete.
package enum OutputFile {
  /// The reason why a file was not written, with the conventional status to exit with: 73 if it
  /// cannot be created, 74 if it cannot be written.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var description: String
    package var status: Int32
  }

  /// Writes a file. If that fails, an existing file is unchanged.
  package static func write(_ text: String, to path: String) throws(Failure) {
    let (descriptor, target) = try open(path)
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(text, to: descriptor)
    } catch {
      close(descriptor)
      if target != path { unlink(target) }
      throw failure("write", path, error.errno, status: EX_IOERR)
    }
    guard close(descriptor) == 0, target == path || rename(target, path) == 0 else {
      let errno = errno
      if target != path { unlink(target) }
      throw failure("write", path, errno, status: EX_IOERR)
    }
  }

  /// Checks that a file can be created, before work that takes long.
  package static func check(_ path: String) throws(Failure) {
    let (descriptor, target) = try open(path)
    close(descriptor)
    if target != path { unlink(target) }
  }

  /// Opens a new file beside the path, or, since only a regular file can be replaced, the device or
  /// the pipe at the path.
  private static func open(_ path: String) throws(Failure) -> (descriptor: CInt, path: String) {
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let target = isSpecial ? path : "\(path).\(getpid())~"
    let flags = isSpecial ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL
    let descriptor = systemOpen(target, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("create", path, errno, status: EX_CANTCREAT) }
    return (descriptor, target)
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
