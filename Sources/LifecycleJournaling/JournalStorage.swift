/// The operations of a ``JournalFileSystem``: the system's file system, or one in memory.
///
/// The journal decides what to write, and where; the storage makes it durable. It guarantees that:
///
/// - In a process, a file is open only once at a time, whichever path leads to it.
/// - Only one open file at a time is locked, in this process or in another. The lock ends with
///   ``JournalFile/unlock()``, with the last reference to the ``JournalFile``, and with the
///   process.
/// - A file that ``open(_:orMakeWith:)`` creates appears under its name with all its bytes, or
///   empty: never with a part of them, whenever the process is killed.
/// - Everything written before ``JournalFile/synchronize()`` is durable once that method has
///   returned, whatever happens to the process or to the power.
package protocol JournalStorage: Sendable {
  /// Opens or creates a file for reading and writing, and locks it.
  ///
  /// Called on the thread that creates the journal, once for each journal, without a lock.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its directory must exist.
  ///   - bytes: The content of a new file. The file is locked before it can be seen, and is
  ///     durable, name included, when this method returns. A file system that can't make a file
  ///     appear as a whole creates an empty one, whose name is durable, and returns it as `opened`.
  /// - Throws: The system's error, if the file can neither be opened nor created. Nothing has
  ///   changed.
  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening
}
