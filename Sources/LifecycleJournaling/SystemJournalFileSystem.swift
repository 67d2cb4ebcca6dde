import LifecycleSupport

/// The file system of the operating system.
///
/// Only the current user can read and write the journals that it creates. Symbolic links are
/// followed.
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
    let status = try file.status
    if let kind = Self.otherKind(status) { return .notARegularFile(kind) }
    guard try file.claim(yieldsLock: yieldsLock), try file.lock() else { return .inUse(file) }
    guard file.isAt(path) else { return nil }
    if try file.size == 0 {
      // The files of system settings (`/proc/sys`) report a size of zero. Writing to them would
      // change the settings.
      guard try file.read(1, at: 0).isEmpty else { return .notARegularFile(.other) }
      // The process that created it may have been killed before it did this.
      synchronizeDirectory(of: path)
    }
    return .opened(file)
  }

  /// Creates a file that is locked and complete when it appears.
  private func make(
    _ path: String,
    of bytes: [UInt8]
  ) throws(JournalFileError) -> WholeFile.Outcome {
    try WholeFile.create(at: path) { file throws(JournalFileError) in
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

extension OpenFile: JournalFile {
  var size: Int {
    get throws(JournalFileError) { Int(try status.st_size) }
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    try WholeFile.copy(self, to: path)
  }
}
