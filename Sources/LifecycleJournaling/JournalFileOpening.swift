/// The result of opening a file of a ``JournalStorage``.
package enum JournalFileOpening: Sendable {
  /// There was a file, now locked; or an empty one was made.
  case opened(any JournalFile)
  /// There was none, and there is one now, locked, of the bytes that were given.
  case made(any JournalFile)
  /// Another open file has the lock, or the file is open in this process already. The journal reads
  /// from this one which process that is, and nothing else.
  case inUse(any JournalFile)
  /// The path leads to something else, which was left alone.
  case notARegularFile(LifecycleJournal.FileKind)
}
