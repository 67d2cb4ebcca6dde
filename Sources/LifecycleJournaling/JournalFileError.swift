/// An error of a file system call, identified by the system's error number.
package struct JournalFileError: Error, Sendable, Hashable {
  /// The error number, such as `ENOSPC`.
  package var errno: Int32

  /// Creates an error with the given number.
  package init(errno: Int32) {
    self.errno = errno
  }
}

extension JournalFileError: CustomStringConvertible {
  /// The system's message for the error number.
  package var description: String { systemMessage(errno) }
}
