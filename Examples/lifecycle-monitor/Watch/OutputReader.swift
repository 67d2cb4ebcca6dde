import Foundation
import ProgramReporting

/// The other end of standard output.
enum OutputReader {
  /// Ends the process by `SIGPIPE` when the last reader of a pipe or socket goes away.
  ///
  /// A write would end it as well, but a program that waits for events may write nothing for hours.
  ///
  /// - Parameter onFailure: Called on another thread if the process ignores `SIGPIPE`.
  static func endProcessWhenGone(
    orElse onFailure: @escaping @Sendable (DescriptorOutput.Failure) -> Void
  ) {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0,
      [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return }
    Thread.detachNewThread {
      // Without events, the call returns for an error or a hang-up alone.
      var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&request, 1, -1) < 0, errno == EINTR {}
      raise(SIGPIPE)
      onFailure(DescriptorOutput.Failure(errno: EPIPE))
    }
  }
}
