import LifecycleSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension JournalFileError {
  /// Why the system call that has just failed did so.
  static var current: Self { Self(errno: lastErrorNumber) }
}

private var lastErrorNumber: Int32 { errno }

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// An open file, closed with its last reference.
final class OpenFile: Sendable {
  let descriptor: Int32
  private let held = Locked<(claim: FileClaim, yieldsLock: Bool)?>(nil)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Whoever claims it next is to find it unlocked. A child that another thread is just starting has
    // a copy of the descriptor until it runs its program: closing this one would leave the lock to it.
    flock(descriptor, LOCK_UN)
    held.take()?.claim.end()
    close(descriptor)
  }

  convenience init(_ path: String, _ flags: Int32) throws(JournalFileError) {
    // The mode counts only for a file that is made.
    let lowest = open(path, flags | O_CLOEXEC | O_NOCTTY, 0o600)
    guard lowest >= 0 else { throw .current }
    guard lowest <= STDERR_FILENO else {
      self.init(lowest)
      return
    }
    // A standard stream is closed. What the program prints must not get into the file.
    let descriptor = fcntl(lowest, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = JournalFileError.current
    close(lowest)
    guard descriptor >= 0 else { throw error }
    self.init(descriptor)
  }

  var status: stat {
    get throws(JournalFileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .current }
      return status
    }
  }

  /// Whether the path leads to this file.
  func isAt(_ path: String) -> Bool {
    var named = stat()
    guard let own = try? status, fstatat(AT_FDCWD, path, &named, 0) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Keeps every other open file of the same path in this process from being claimed.
  ///
  /// - Parameter yieldsLock: Whether the file can be unlocked before it is closed.
  /// - Returns: False if another one is claimed.
  func claim(yieldsLock: Bool) throws(JournalFileError) -> Bool {
    guard let claim = FileClaim(try status) else { return false }
    held.withLock { $0 = (claim, yieldsLock) }
    return true
  }

  /// Keeps every other open file of the same path from being locked, in other processes too.
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

  /// As many bytes as there are, up to `count`.
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

  /// Everything in one call, unless the system takes less: then the rest, so that it says why.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, off_t(offset + done))
      }
      if step > 0 {
        done += step
      } else if step == 0 || errno != EINTR {
        throw step == 0 ? JournalFileError(errno: EIO) : .current
      }
    }
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    while ftruncate(descriptor, off_t(size)) != 0 {
      guard errno == EINTR else { throw .current }
    }
  }

  /// Has the drive keep what was written, through a loss of power too.
  func synchronize() throws(JournalFileError) {
    #if canImport(Darwin)
      // `fsync` leaves it in the drive's cache there. `F_BARRIERFSYNC` would only keep the order:
      // whoever sets a value is promised that it stays. Some volumes of a network know only
      // `fsync`.
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

/// Has the drive keep the names of the files in the path's directory. A directory that can't be
/// opened is left to the system.
func synchronizeDirectory(of path: String) {
  guard let directory = try? OpenFile(directory(of: path), O_RDONLY | O_DIRECTORY) else { return }
  fsync(directory.descriptor)
}

func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
