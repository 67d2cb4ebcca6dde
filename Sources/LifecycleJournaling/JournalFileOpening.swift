/// The result of opening a file of a ``JournalStorage``.
package enum JournalFileOpening: Sendable {
  /// The file existed and is now locked, or an empty one was created.
  case opened(any JournalFile)
  /// The file did not exist, was created with the given bytes, and is locked.
  case made(any JournalFile)
  /// Another open file has the lock, or the file is already open in this process.
  ///
  /// The journal uses this file only to read which process that is.
  case inUse(any JournalFile)
  /// The path leads to something else, which is unchanged.
  case notARegularFile(LifecycleJournal.FileKind)
}
