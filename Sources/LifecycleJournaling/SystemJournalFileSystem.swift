import LifecycleSupport

/// The file system of the operating system.
package struct SystemJournalFileSystem: JournalStorage {
  private let yieldsLock: Bool

  /// Creates the file system of the operating system.
  ///
  /// Files are unlocked while the process may be suspended, on systems that suspend processes
  /// without being asked: not on Linux and macOS.
  package init() {
    #if os(Linux) || os(macOS)
      yieldsLock = false
    #else
      yieldsLock = true
    #endif
  }

  /// Creates the file system of the operating system.
  ///
  /// - Parameter yieldsLock: Whether files can be unlocked before they are closed.
  package init(yieldsLock: Bool) {
    self.yieldsLock = yieldsLock
  }

  package func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    // Other processes may create, remove or replace the file in the meantime.
    for attempt in 0..<100 {
      if let opening = try open(path, orMakeWith: bytes, isFirst: attempt == 0) {
        return opening
      }
    }
    throw JournalFileError(errno: EAGAIN)
  }

  /// Opens or creates the file.
  ///
  /// - Returns: Nil if the caller must try again.
  private func open(
    _ path: String,
    orMakeWith bytes: [UInt8],
    isFirst: Bool
  ) throws(JournalFileError) -> JournalFileOpening? {
    // Opening a device may have side effects.
    if let kind = Self.otherKind(at: path) { return .notARegularFile(kind) }
    let file: OpenFile
    do throws(JournalFileError) {
      file = try OpenFile(path, O_RDWR | O_NONBLOCK)
    } catch {
      if let kind = Self.otherKind(at: path) { return .notARegularFile(kind) }
      guard error.errno == ENOENT else { throw error }
      if isFirst {
        switch try make(path, of: bytes) {
        case .created(let file): return .made(file)
        case .exists: return nil
        case .unsupported: break
        }
      }
      // This also works through a symbolic link whose target does not exist yet.
      file = try OpenFile(path, O_RDWR | O_NONBLOCK | O_CREAT)
    }
    if let kind = Self.otherKind(try file.status) { return .notARegularFile(kind) }
    guard try file.claim(yieldsLock: yieldsLock), try file.lock() else { return .inUse(file) }
    guard file.isAt(path) else { return nil }
    if try file.size == 0 {
      // The files of system settings (`/proc/sys`) report a size of zero. Writing to them would
      // change the settings.
      guard try file.read(1, at: 0).isEmpty else { return .notARegularFile(.other) }
      // The process that created it may have been killed before it did this.
      OpenFile.synchronizeDirectory(of: path)
    }
    return .opened(file)
  }

  /// Creates a file that is locked and complete when it appears.
  private func make(
    _ path: String,
    of bytes: [UInt8]
  ) throws(JournalFileError) -> OpenFile.Creation {
    try OpenFile.create(at: path) { file throws(JournalFileError) in
      _ = try file.claim(yieldsLock: yieldsLock)
      _ = try file.lock()
      try file.write(bytes, at: 0)
      try file.synchronize()
    }
  }

  private static func otherKind(at path: String) -> LifecycleJournal.FileKind? {
    var status = stat()
    return fstatat(AT_FDCWD, path, &status, 0) == 0 ? otherKind(status) : nil
  }

  /// Returns the kind of something other than a regular file; nil for a regular file.
  private static func otherKind(_ status: stat) -> LifecycleJournal.FileKind? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: .directory
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFBLK, S_IFCHR: .device
    default: .other
    }
  }
}

/// An open file of the operating system, which is closed when its last reference is released.
final class OpenFile: JournalFile {
  /// The right to be the only open file of a journal in this process, whichever path leads to it,
  /// even while the file is not locked.
  private struct Claim: Hashable {
    let device: dev_t
    let number: ino_t
  }

  private static let claims = Locked<Set<Claim>>([])

  private let file: SystemFile
  private let held = Locked<(claim: Claim, yieldsLock: Bool)?>(nil)

  init(_ path: String, _ flags: Int32) throws(JournalFileError) {
    file = try SystemFile(path, flags)
  }

  deinit {
    // The next claim must find the file unlocked.
    _ = file.unlock()
    guard let (claim, _) = held.take() else { return }
    _ = Self.claims.withLock { $0.remove(claim) }
  }

  var status: stat {
    get throws(JournalFileError) { try file.status }
  }

  var size: Int {
    get throws(JournalFileError) { try file.size }
  }

  /// Returns a Boolean value that indicates whether the path leads to this file.
  func isAt(_ path: String) -> Bool { file.isAt(path) }

  /// Prevents every other open file of the same path in this process from being claimed.
  ///
  /// - Parameter yieldsLock: Whether the file can be unlocked before it is closed.
  /// - Returns: False if another one is claimed.
  func claim(yieldsLock: Bool) throws(JournalFileError) -> Bool {
    let status = try file.status
    let claim = Claim(device: status.st_dev, number: status.st_ino)
    guard Self.claims.withLock({ $0.insert(claim).inserted }) else { return false }
    held.withLock { $0 = (claim, yieldsLock) }
    return true
  }

  func lock() throws(JournalFileError) -> Bool { try file.lock() }

  func unlock() -> Bool { held.withLock { $0?.yieldsLock == true } && file.unlock() }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try file.read(count - bytes.count, at: offset + bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    // A child by fork(2) shares the lock, and is not to write.
    if file.isInherited { throw JournalFileError(errno: ENOTSUP) }
    try file.write(bytes, at: offset)
  }

  func setSize(_ size: Int) throws(JournalFileError) { try file.setSize(size) }

  func synchronize() throws(JournalFileError) {
    #if canImport(Darwin)
      // `F_BARRIERFSYNC` would only preserve the order. But a value that was set is guaranteed to
      // stay.
      try file.synchronize()
    #else
      // Unlike fsync(2), it leaves out the time of the change.
      while fdatasync(file.descriptor) != 0 {
        guard errno == EINTR else { throw .current }
      }
    #endif
  }
}

// MARK: Whole files

// They appear under their name with all their bytes, whenever the process is killed.
extension OpenFile {
  enum Creation {
    case created(OpenFile)
    /// The name is taken.
    case exists
    /// The system, or the file system, does not support this.
    case unsupported
  }

  /// Creates a file without a name, fills it, and then gives it its name.
  static func create(
    at path: String,
    _ fill: (OpenFile) throws(JournalFileError) -> Void
  ) throws(JournalFileError) -> Creation {
    #if canImport(Darwin)
      return .unsupported
    #else
      // Glibc's `O_TMPFILE` is a macro that Swift does not see: `__O_TMPFILE | O_DIRECTORY`.
      let temporary: Int32 = 0o20_000_000 | O_DIRECTORY
      guard let file = try? OpenFile(SystemFile.directory(of: path), O_RDWR | temporary) else {
        return .unsupported
      }
      try fill(file)
      let source = "/proc/self/fd/\(file.file.descriptor)"
      guard linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
        return errno == EEXIST ? .exists : .unsupported
      }
      synchronizeDirectory(of: path)
      return .created(file)
    #endif
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    // Most names that are taken are detected here, without copying.
    var status = stat()
    if fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
    #if canImport(Darwin)
      // A clone appears as a whole.
      if fclonefileat(file.descriptor, AT_FDCWD, path, 0) == 0 {
        Self.synchronizeDirectory(of: path)
        return true
      }
      if errno == EEXIST { return false }
    #endif
    let creation = try Self.create(at: path) { copy throws(JournalFileError) in
      try copyBytes(to: copy)
    }
    switch creation {
    case .created: return true
    case .exists: return false
    case .unsupported: return try copyUnderName(to: path)
    }
  }

  /// Copies the file where the system can't make the copy appear as a whole: a process that is
  /// killed meanwhile leaves the beginning of one.
  ///
  /// - Returns: False if the name is taken.
  func copyUnderName(to path: String) throws(JournalFileError) -> Bool {
    do throws(JournalFileError) {
      let copy = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL)
      do throws(JournalFileError) {
        try copyBytes(to: copy)
      } catch {
        unlink(path)
        throw error
      }
    } catch {
      if error.errno == EEXIST { return false }
      throw error
    }
    Self.synchronizeDirectory(of: path)
    return true
  }

  private func copyBytes(to copy: OpenFile) throws(JournalFileError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let bytes = try read(zeros.count, at: offset)
      if bytes.isEmpty { break }
      // A hole remains a hole, and takes neither space nor time.
      if memcmp(bytes, zeros, bytes.count) != 0 { try copy.write(bytes, at: offset) }
      offset += bytes.count
    }
    try copy.setSize(offset)
    try copy.synchronize()
  }

  /// Makes the names of the files in the path's directory durable.
  ///
  /// If the directory can't be opened, this is left to the system.
  static func synchronizeDirectory(of path: String) {
    try? SystemFile(SystemFile.directory(of: path), O_RDONLY | O_DIRECTORY).synchronize()
  }
}
