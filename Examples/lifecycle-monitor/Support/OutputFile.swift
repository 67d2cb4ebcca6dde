import Foundation
import ProgramReporting

/// A file that is replaced at once, when its new text is complete.
enum OutputFile {
  /// Writes a file.
  ///
  /// - Throws: `MonitorFailure` with the status 73 if the file cannot be created, and 74 if it
  ///   cannot be written. An existing file is unchanged then.
  static func write(_ text: String, to path: String) throws(MonitorFailure) {
    // Into a device or a pipe, as it is; only a regular file can be replaced.
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let target = isSpecial ? path : "\(path).\(getpid())~"
    let flags = isSpecial ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL
    let descriptor = open(target, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("create", path, status: EX_CANTCREAT) }
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(text, to: descriptor)
    } catch {
      close(descriptor)
      if !isSpecial { unlink(target) }
      throw MonitorFailure(
        "cannot write \(path): \(String(cString: strerror(error.errno)))",
        status: EX_IOERR
      )
    }
    guard close(descriptor) == 0, isSpecial || rename(target, path) == 0 else {
      defer { if !isSpecial { unlink(target) } }
      throw failure("write", path, status: EX_IOERR)
    }
  }

  private static func failure(_ verb: String, _ path: String, status: Int32) -> MonitorFailure {
    MonitorFailure("cannot \(verb) \(path): \(String(cString: strerror(errno)))", status: status)
  }
}
