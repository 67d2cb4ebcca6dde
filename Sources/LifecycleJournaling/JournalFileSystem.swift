package import LifecycleSupport

/// The file system for the file of a ``LifecycleJournal``: the operating system's, or, in tests,
/// one of `LifecycleTesting`, in memory.
///
/// ```swift
/// journal = try LifecycleJournal(at: path, of: bus, fileSystem: .system)
/// ```
public struct JournalFileSystem: Sendable {
  package let storage: any JournalStorage

  package init(_ storage: some JournalStorage) {
    self.storage = storage
  }

  /// The file system of the operating system.
  ///
  /// Only the current user can read and write the journals that it creates. Symbolic links are
  /// followed. Files are unlocked while the process may be suspended, on systems that suspend
  /// processes without being asked: not on Linux and macOS.
  public static let system = JournalFileSystem(SystemJournalFileSystem())
}

package typealias JournalFileError = SystemError

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

/// An open file of a ``JournalStorage``, locked at first.
///
/// Releasing the last reference closes and unlocks it.
///
/// A journal calls its methods on any thread, one call at a time, under the journal's lock. A
/// method must not use the journal, or wait for anything that does.
package protocol JournalFile: AnyObject, Sendable {
  /// The size of the file in bytes.
  var size: Int { get throws(JournalFileError) }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - count: The maximum number of bytes.
  ///   - offset: The offset of the first byte.
  /// - Returns: The bytes that are there, up to `count`.
  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8]

  /// Writes all the bytes, from the first one to the last.
  ///
  /// The file grows as needed.
  ///
  /// If the call throws, or is interrupted by the end of the process, the bytes up to some point
  /// were written. If the power fails before ``synchronize()`` has returned, some of the bytes were
  /// written, and nothing outside them has changed.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write.
  ///   - offset: The offset of the first byte.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError)

  /// Truncates the file, or extends it with zeros.
  ///
  /// - Parameter size: The new size in bytes.
  func setSize(_ size: Int) throws(JournalFileError)

  /// Returns when everything that was written, and the size, will survive a loss of power.
  func synchronize() throws(JournalFileError)

  /// Locks the file again after ``unlock()``, without waiting.
  ///
  /// The default implementation returns true.
  ///
  /// - Returns: False if another process has locked it.
  func lock() throws(JournalFileError) -> Bool

  /// Allows other processes to lock the file, which stays open.
  ///
  /// - Returns: False if the file stays locked. The default implementation returns false, which is
  ///   right if no other process can reach the file.
  func unlock() -> Bool

  /// Copies the whole file to a new one, which is durable, name included, when this method returns.
  ///
  /// The copy appears with all its bytes, if the file system supports that. If the method throws,
  /// there is no copy.
  ///
  /// - Parameter path: The path of the copy.
  /// - Returns: False if the path is taken. What was there is unchanged.
  func copy(to path: String) throws(JournalFileError) -> Bool
}

extension JournalFile {
  package func lock() throws(JournalFileError) -> Bool { true }

  package func unlock() -> Bool { false }
}
