import LifecycleSupport

/// An open file, which is unlocked and closed when its last reference is released.
final class SystemFile: Sendable {
  /// The kind of what a path leads to.
  enum Kind {
    case regular, directory, pipe, device
  }

  private let descriptor: Int32
  /// A child by fork(2) shares the lock.
  private let process = getpid()

  /// Opens a file; if it is created, only the current user can read and write it.
  init(_ path: String, _ flags: Int32) throws(SystemError) {
    let opened = SystemDescriptor.open(path, flags)
    guard opened >= 0 else { throw .current }
    descriptor = opened
  }

  deinit {
    // A child process that another thread is just starting has a copy of the descriptor, which
    // would keep the lock.
    if process == getpid() { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }

  /// Returns the kind of what the path leads to; nil if there is nothing.
  static func kind(at path: String) -> Kind? {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, 0) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    case S_IFIFO, S_IFSOCK: .pipe
    default: .device
    }
  }

  var status: stat {
    get throws(SystemError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .current }
      return status
    }
  }

  var size: Int {
    get throws(SystemError) { Int(try status.st_size) }
  }

  /// Returns a Boolean value that indicates whether the path leads to this file.
  func isAt(_ path: String) -> Bool {
    var named = stat()
    guard let own = try? status, fstatat(AT_FDCWD, path, &named, 0) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Returns a Boolean value that indicates whether the path leads nowhere, or to another file.
  ///
  /// It is false if the process may no longer look at the path.
  func isGone(from path: String) -> Bool {
    isAt(path) ? false : Self.kind(at: path) != nil || errno == ENOENT || errno == ENOTDIR
  }

  /// Prevents every other open file of the same path from being locked, in other processes too.
  ///
  /// - Returns: False if another one is locked.
  func lock() throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .current }
    }
    return true
  }

  /// Reads the bytes that come next, up to `count`; none at the end.
  func next(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var step = read(descriptor, &bytes, count)
    while step < 0, errno == EINTR { step = read(descriptor, &bytes, count) }
    guard step >= 0 else { throw .current }
    bytes.removeLast(count - step)
    return bytes
  }

  /// Returns the byte at an offset; nil at the end.
  func byte(at offset: Int) throws(SystemError) -> UInt8? {
    var byte: UInt8 = 0
    var step = pread(descriptor, &byte, 1, off_t(offset))
    while step < 0, errno == EINTR { step = pread(descriptor, &byte, 1, off_t(offset)) }
    guard step >= 0 else { throw .current }
    return step == 1 ? byte : nil
  }

  /// Writes all bytes in one call.
  ///
  /// If the system accepts fewer, writes the rest in further calls, so that the system reports the
  /// reason.
  func append(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes { bytes in
        SystemWrite.withoutSignals {
          write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        }
      }
      if step > 0 {
        done += step
      } else if step == 0 || errno != EINTR {
        throw step == 0 ? SystemError(errno: EIO) : .current
      }
    }
  }

  /// Truncates the file.
  func setSize(_ size: Int) throws(SystemError) {
    while SystemWrite.withoutSignals({ ftruncate(descriptor, off_t(size)) }) != 0 {
      guard errno == EINTR else { throw .current }
    }
  }

  func setPermissions(_ mode: mode_t) throws(SystemError) {
    guard fchmod(descriptor, mode & 0o7777) == 0 else { throw .current }
  }

  /// Makes everything that was written durable, even through a loss of power.
  func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      // On Apple platforms, `fsync` leaves the data in the drive's cache. Some network volumes
      // support only `fsync`.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw .current }
    }
  }
}
