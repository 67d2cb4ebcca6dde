/// An open file of a ``JournalStorage``, locked at first. The release of the last reference closes
/// and unlocks it.
///
/// A journal calls it on any thread, one call at a time, under its own lock: a call must not use the
/// journal, nor wait for anything that does.
package protocol JournalFile: AnyObject, Sendable {
  /// The number of its bytes.
  var size: Int { get throws(JournalFileError) }

  /// Reads.
  ///
  /// - Parameters:
  ///   - count: How many bytes at most.
  ///   - offset: Where from, in bytes.
  /// - Returns: As many bytes as there are, up to `count`.
  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8]

  /// Writes all the bytes, from the first one to the last; the file grows as far as that needs.
  ///
  /// If it throws, or is cut off by the end of the process, those up to some byte were written. What
  /// the power's end leaves before ``synchronize()`` has returned is some of the bytes, and nothing
  /// outside them has changed.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - offset: Where to, in bytes.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError)

  /// Cuts the file off, or lets it grow by zeros.
  ///
  /// - Parameter size: Its new size in bytes.
  func setSize(_ size: Int) throws(JournalFileError)

  /// Returns when everything that was written, and the size, stay through a loss of power.
  func synchronize() throws(JournalFileError)

  /// Locks the file again after ``unlock()``. Does not wait. The default implementation returns true.
  ///
  /// - Returns: False if another process has locked it.
  func lock() throws(JournalFileError) -> Bool

  /// Lets other processes lock the file, which stays open.
  ///
  /// - Returns: False if it stays locked, as the default implementation has it: right where no other
  ///   process can reach the file.
  func unlock() -> Bool

  /// Copies the whole file to a new one, which stays when this returns, its name included.
  ///
  /// The copy appears with all its bytes, if the file system can do that. If it throws, there is
  /// none.
  ///
  /// - Parameter path: Where the copy is to be.
  /// - Returns: False if there is something already, which was left alone.
  func copy(to path: String) throws(JournalFileError) -> Bool
}

extension JournalFile {
  package func lock() throws(JournalFileError) -> Bool { true }

  package func unlock() -> Bool { false }
}
