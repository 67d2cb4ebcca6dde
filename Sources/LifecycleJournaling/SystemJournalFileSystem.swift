#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The file system of the operating system. Files are made for this user alone to read and write;
/// symbolic links are followed.
package struct SystemJournalFileSystem: JournalStorage {
  private let yieldsLock: Bool

  /// The one that there is. Files are unlocked while the process may be suspended, where the system
  /// suspends processes that did not ask for that: not on Linux and macOS.
  package init() {
    #if os(Linux) || os(macOS)
      yieldsLock = false
    #else
      yieldsLock = true
    #endif
  }

  /// - Parameter yieldsLock: Whether files can be unlocked before they are closed.
  package init(yieldsLock: Bool) {
    self.yieldsLock = yieldsLock
  }

  package func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    // Other processes may make, remove or replace the file meanwhile.
    for attempt in 0..<100 {
      if let opening = try open(path, orMakeWith: bytes, isFirst: attempt == 0) {
        return opening
      }
    }
    throw JournalFileError(errno: EAGAIN)
  }

  /// Nil if it has to be tried once more.
  private func open(
    _ path: String,
    orMakeWith bytes: [UInt8],
    isFirst: Bool
  ) throws(JournalFileError) -> JournalFileOpening? {
    // Opening a device may do something.
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
      // Also through a symbolic link that leads to nothing yet.
      file = try OpenFile(path, O_RDWR | O_NONBLOCK | O_CREAT)
    }
    let status = try file.status
    if let kind = Self.otherKind(status) { return .notARegularFile(kind) }
    guard try file.claim(yieldsLock: yieldsLock), try file.lock() else { return .inUse(file) }
    guard file.isAt(path) else { return nil }
    if try file.size == 0 {
      // The system's own settings (`/proc/sys`) say that they are empty files. To write there is to
      // change them.
      guard try file.read(1, at: 0).isEmpty else { return .notARegularFile(.other) }
      // Its maker may have been killed before that.
      synchronizeDirectory(of: path)
    }
    return .opened(file)
  }

  /// Makes a file that is locked, and whole, when it appears.
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

  /// Nil for a file.
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
