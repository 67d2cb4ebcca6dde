/// A call that the file system refuses, by the system's number for the reason.
package struct JournalFileError: Error, Sendable, Hashable {
  /// The number, such as `ENOSPC`.
  package var errno: Int32

  /// A refusal for the given reason.
  package init(errno: Int32) {
    self.errno = errno
  }
}

extension JournalFileError: CustomStringConvertible {
  /// The system's words for the number.
  package var description: String { systemMessage(errno) }
}
