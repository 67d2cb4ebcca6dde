/// An error of a system call, identified by the system's error number.
package struct SystemError: Error, Hashable, Sendable {
  package var errno: Int32

  package init(errno: Int32) { self.errno = errno }

  /// The error of the system call that has just failed.
  package static var current: Self { Self(errno: lastErrorNumber) }

  /// The system's message.
  package var message: String { String(cString: strerror(errno)) }
}

private var lastErrorNumber: Int32 { errno }

/// An open file, which is unlocked and closed when its last reference is released.
package final class SystemFile: Sendable {
  /// The kind of what a path leads to.
  package enum Kind {
    case regular, directory, pipe, device
  }

  package let descriptor: Int32
  /// A child by fork(2) shares the lock.
  private let process = getpid()

  /// Opens a file; if it is created, only the current user can read and write it.
  package init(_ path: String, _ flags: Int32) throws(SystemError) {
    let opened = SystemDescriptor.open(path, flags)
    guard opened >= 0 else { throw .current }
    descriptor = opened
  }

  deinit {
    // A child process that another thread is just starting has a copy of the descriptor, which
    // would keep the lock.
    _ = unlock()
    close(descriptor)
  }

  // MARK: Paths

  /// Returns the directory that a path is in.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the kind of what the path leads to; nil if there is nothing.
  package static func kind(at path: String) -> Kind? {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, 0) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    case S_IFIFO, S_IFSOCK: .pipe
    default: .device
    }
  }

  /// Returns a Boolean value that indicates whether the path leads to this file.
  package func isAt(_ path: String) -> Bool {
    var named = stat()
    guard let own = try? status, fstatat(AT_FDCWD, path, &named, 0) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Returns a Boolean value that indicates whether the path leads nowhere, or to another file.
  ///
  /// It is false if the process may no longer look at the path.
  package func isGone(from path: String) -> Bool {
    isAt(path) ? false : Self.kind(at: path) != nil || errno == ENOENT || errno == ENOTDIR
  }

  // MARK: The file

  package var status: stat {
    get throws(SystemError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .current }
      return status
    }
  }

  package var size: Int {
    get throws(SystemError) { Int(try status.st_size) }
  }

  /// Prevents every other open file of the same path from being locked, in other processes too.
  ///
  /// - Returns: False if another one is locked.
  package func lock() throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .current }
    }
    return true
  }

  /// Allows every other open file of the same path to be locked.
  ///
  /// - Returns: False if it stays locked, as in a child process by fork(2).
  package func unlock() -> Bool { !isInherited && flock(descriptor, LOCK_UN) == 0 }

  /// A Boolean value that indicates whether this is a child by fork(2) of the process that has
  /// opened the file.
  package var isInherited: Bool { process != getpid() }

  /// Reads what is there, up to `count` bytes; none at the end.
  ///
  /// - Parameter offset: The offset of the first byte; nil for the byte after those read before.
  package func read(_ count: Int, at offset: Int? = nil) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let step = bytes.withUnsafeMutableBytes { bytes in
        offset.map { pread(descriptor, bytes.baseAddress, count, off_t($0)) }
          ?? systemRead(descriptor, bytes.baseAddress, count)
      }
      if step >= 0 {
        bytes.removeLast(count - step)
        return bytes
      }
      guard errno == EINTR else { throw .current }
    }
  }

  /// Writes all bytes in one call.
  ///
  /// If the system accepts fewer, writes the rest in further calls, so that the system reports the
  /// reason.
  ///
  /// - Parameter offset: The offset of the first byte; nil for the byte after those written before,
  ///   or for the end of a file that was opened to append.
  package func write(_ bytes: [UInt8], at offset: Int? = nil) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let step = bytes.withUnsafeBytes { bytes in
        let (start, count) = (bytes.baseAddress! + done, bytes.count - done)
        return SystemWrite.withoutSignals {
          offset.map { pwrite(descriptor, start, count, off_t($0 + done)) }
            ?? systemWrite(descriptor, start, count)
        }
      }
      if step > 0 {
        done += step
      } else if step == 0 || errno != EINTR {
        throw step == 0 ? SystemError(errno: EIO) : .current
      }
    }
  }

  /// Truncates the file, or extends it with zeros.
  package func setSize(_ size: Int) throws(SystemError) {
    while SystemWrite.withoutSignals({ ftruncate(descriptor, off_t(size)) }) != 0 {
      guard errno == EINTR else { throw .current }
    }
  }

  /// Makes everything that was written durable, even through a loss of power.
  package func synchronize() throws(SystemError) {
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

// Inside the class, its methods have the names of these calls.

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, bytes, count)
}
