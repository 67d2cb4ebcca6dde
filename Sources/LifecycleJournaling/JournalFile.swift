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
