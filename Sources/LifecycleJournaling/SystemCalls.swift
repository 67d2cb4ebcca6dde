import LifecycleSupport

extension JournalFileError {
  /// The error of the system call that has just failed.
  static var current: Self { Self(errno: lastErrorNumber) }
}

private var lastErrorNumber: Int32 { errno }

/// Returns the system's message for an error number.
func systemMessage(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// An open file, which is closed when its last reference is released.
final class OpenFile: Sendable {
  let descriptor: Int32
  /// A child by fork(2) shares the lock, and is not to write.
  private let process = getpid()
  private let held = Locked<(claim: FileClaim, yieldsLock: Bool)?>(nil)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // The next claim must find the file unlocked. A child process that another thread is just
    // starting has a copy of the descriptor until it executes its program. Closing this descriptor
    // alone would leave the lock to the child.
    if process == getpid() { flock(descriptor, LOCK_UN) }
    held.take()?.claim.end()
    close(descriptor)
  }

  convenience init(_ path: String, _ flags: Int32) throws(JournalFileError) {
    let descriptor = SystemDescriptor.open(path, flags)
    guard descriptor >= 0 else { throw .current }
    self.init(descriptor)
  }

  var status: stat {
    get throws(JournalFileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .current }
      return status
    }
  }

  /// Returns a Boolean value that indicates whether the path leads to this file.
  func isAt(_ path: String) -> Bool {
    var named = stat()
    guard let own = try? status, fstatat(AT_FDCWD, path, &named, 0) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Prevents every other open file of the same path in this process from being claimed.
  ///
  /// - Parameter yieldsLock: Whether the file can be unlocked before it is closed.
  /// - Returns: False if another one is claimed.
  func claim(yieldsLock: Bool) throws(JournalFileError) -> Bool {
    guard let claim = FileClaim(try status) else { return false }
    held.withLock { $0 = (claim, yieldsLock) }
    return true
  }

  /// Prevents every other open file of the same path from being locked, in other processes too.
  ///
  /// - Returns: False if another one is locked.
  func lock() throws(JournalFileError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .current }
    }
    return true
  }

  func unlock() -> Bool {
    held.withLock { $0?.yieldsLock == true } && flock(descriptor, LOCK_UN) == 0
  }

  /// Reads the bytes that are there, up to `count`.
  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let step = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset + done))
      }
      if step == 0 { break }
      if step > 0 { done += step } else if errno != EINTR { throw .current }
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Writes all bytes in one call.
  ///
  /// If the system accepts fewer, writes the rest in further calls, so that the system reports the
  /// reason.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    guard process == getpid() else { throw JournalFileError(errno: ENOTSUP) }
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes { bytes in
        SystemWrite.withoutSignals {
          pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        }
      }
      if step > 0 {
        done += step
      } else if step == 0 || errno != EINTR {
        throw step == 0 ? JournalFileError(errno: EIO) : .current
      }
    }
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    while SystemWrite.withoutSignals({ ftruncate(descriptor, off_t(size)) }) != 0 {
      guard errno == EINTR else { throw .current }
    }
  }

  /// Makes everything that was written durable, even through a loss of power.
  func synchronize() throws(JournalFileError) {
    #if canImport(Darwin)
      // On Apple platforms, `fsync` leaves the data in the drive's cache, and `F_BARRIERFSYNC`
      // would only preserve the order. But a value that was set is guaranteed to stay. Some network
      // volumes support only `fsync`.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      while fsync(descriptor) != 0 {
        guard errno == EINTR else { throw .current }
      }
    #else
      while fdatasync(descriptor) != 0 {
        guard errno == EINTR else { throw .current }
      }
    #endif
  }
}

/// Makes the names of the files in the path's directory durable.
///
/// If the directory can't be opened, this is left to the system.
func synchronizeDirectory(of path: String) {
  guard let directory = try? OpenFile(directory(of: path), O_RDONLY | O_DIRECTORY) else { return }
  fsync(directory.descriptor)
}

func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
