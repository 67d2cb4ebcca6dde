/// What a ``JournalFileSystem`` does for a journal: the system's file system, or one in memory.
///
/// The journal decides what to write, and where; the storage makes it durable. It guarantees that:
///
/// - In a process a file is open once at a time, whichever path leads to it.
/// - One open file at a time is locked, in this process or in another. The lock ends with
///   ``JournalFile/unlock()``, with the last reference to the ``JournalFile``, and with the process.
/// - A file that ``open(_:orMakeWith:)`` makes appears under its name with all its bytes, or empty:
///   never with a part of them, whenever the process is killed.
/// - What was written before ``JournalFile/synchronize()`` stays once that has returned, whatever
///   happens to the process, or to the power.
package protocol JournalStorage: Sendable {
  /// Opens a file for reading and writing, and locks it. Makes one if there is none.
  ///
  /// Called once for each journal, on the thread that makes it, without a lock.
  ///
  /// - Parameters:
  ///   - path: Where the file is. The directory must be there.
  ///   - bytes: What a new file is made of. It is locked before it can be seen, and it stays, name
  ///     included, when this returns. A file system that can't have a file appear as a whole makes
  ///     an empty one, whose name stays, and returns it as `opened`.
  /// - Throws: What the system says, if the file can neither be opened nor made. Nothing has changed.
  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening
}
