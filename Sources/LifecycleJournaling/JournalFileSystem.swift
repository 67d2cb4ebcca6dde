/// Where a ``LifecycleJournal`` keeps its file: the system's file system, or one in memory in tests.
///
/// ```swift
/// let journal = try LifecycleJournal(at: path, of: bus, fileSystem: .system)
/// ```
///
/// The journal decides what is written, and where; a file system has it stay. What it has to promise:
///
/// - In a process a file is open once at a time, whichever path leads to it.
/// - One open file at a time is locked, in this process or in another. The lock ends with
///   ``JournalFile/unlock()``, with the last reference to the ``JournalFile``, and with the process.
/// - A file that ``open(_:orMakeWith:)`` makes appears under its name with all its bytes, or empty:
///   never with a part of them, whenever the process is killed.
/// - What was written before ``JournalFile/synchronize()`` stays once that has returned, whatever
///   happens to the process, or to the power.
public protocol JournalFileSystem: Sendable {
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

extension JournalFileSystem where Self == SystemJournalFileSystem {
  /// The file system of the operating system.
  public static var system: SystemJournalFileSystem { SystemJournalFileSystem() }
}

/// What a ``JournalFileSystem`` has found.
public enum JournalFileOpening: Sendable {
  /// There was a file, now locked; or an empty one was made.
  case opened(any JournalFile)
  /// There was none, and there is one now, locked, of the bytes that were given.
  case made(any JournalFile)
  /// Another open file has the lock, or the file is open in this process already. The journal reads from this one which process that is, and
  /// nothing else.
  case inUse(any JournalFile)
  /// The path leads to something else, which was left alone.
  case notARegularFile(LifecycleJournal.FileKind)
}

/// A call that the file system refuses, by the system's number for the reason.
public struct JournalFileError: Error, Sendable, Hashable {
  /// The number, such as `ENOSPC`.
  public var errno: Int32

  /// A refusal for the given reason.
  public init(errno: Int32) {
    self.errno = errno
  }
}

extension JournalFileError: CustomStringConvertible {
  /// The system's words for the number.
  public var description: String { systemMessage(errno) }
}
