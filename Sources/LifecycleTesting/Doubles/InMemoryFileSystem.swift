public import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// An in-memory file system for journals that records the operations on it.
///
/// ```swift
/// let files = InMemoryFileSystem()
/// journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
/// bus.send(.didBecomeActive)
/// files.cutPower()
/// let next = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
/// // next.previousRun.exit == .killedInForeground
/// ```
///
/// The file system gives the guarantees that journals rely on. An open file stays locked until its
/// journal is released or ended, or until ``cutPower()``, even in the background, because there is
/// no other process. Synchronized bytes are durable. All directories exist, and there are no links.
/// Thread-safe.
///
/// A test chooses the failures: ``failNext(_:errno:)`` refuses a call, ``capacity`` fills the disk,
/// ``cutPower(inNextWriteAfter:)`` stops in the middle of a write, and ``setContents(_:of:)``
/// damages one byte or all bytes.
public final class InMemoryFileSystem: JournalStorage {
  private let disk: Locked<InMemoryDisk>

  /// Creates an empty file system.
  ///
  /// - Parameter makesWholeFiles: Whether a new file appears with all its bytes, as on Linux.
  ///   Otherwise it is empty at first, as on Apple platforms.
  public init(makesWholeFiles: Bool = true) {
    disk = Locked(InMemoryDisk(makesWholeFiles: makesWholeFiles))
  }

  package func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    let (handle, outcome) = try perform { disk throws(JournalFileError) in
      try disk.open(path, orMakeWith: bytes)
    }
    let file = InMemoryFile(handle, of: self)
    return switch outcome {
    case .opened: .opened(file)
    case .made: .made(file)
    case .inUse: .inUse(file)
    }
  }

  fileprivate func perform<Result: Sendable>(
    _ body: (inout InMemoryDisk) throws(JournalFileError) -> Result
  ) throws(JournalFileError) -> Result {
    try disk.withLock { disk throws(JournalFileError) in try body(&disk) }
  }

  fileprivate func close(_ handle: InMemoryDisk.Handle) {
    disk.withLock { $0.close(handle) }
  }

  // MARK: What was done

  /// The operations so far, from the oldest to the newest.
  public var operations: [Operation] { disk.withLock { $0.operations } }

  /// The paths of all files, sorted.
  public var paths: [String] { disk.withLock { $0.paths } }

  /// Returns the contents of a file, synchronized or not; nil if there is no such file.
  public func contents(of path: String) -> [UInt8]? { disk.withLock { $0.contents(of: path) } }

  // MARK: What goes wrong

  /// Creates, overwrites or removes a file durably, as another program would. A journal that has
  /// the file open keeps it open.
  ///
  /// ```swift
  /// var bytes = files.contents(of: "/state")!
  /// bytes[50] ^= 1
  /// files.setContents(bytes, of: "/state")
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: The new contents of the file; nil removes it.
  ///   - path: The path of the file.
  public func setContents(_ bytes: [UInt8]?, of path: String) {
    disk.withLock { $0.setContents(bytes, of: path) }
  }

  /// The maximum number of bytes in all files together; nil, the initial value, means no limit. A
  /// write, a copy or a new file that needs more fails with `ENOSPC`; a write stores the part that
  /// fits first.
  public var capacity: Int? {
    get { disk.withLock { $0.capacity } }
    set { disk.withLock { $0.capacity = newValue } }
  }

  /// Refuses the next call of a kind, which then changes nothing. A second call of this method
  /// refuses the call after that, too.
  ///
  /// - Parameters:
  ///   - call: The kind of call to refuse.
  ///   - errno: The system's number for the reason, such as `EACCES`.
  public func failNext(_ call: Call, errno: Int32) {
    disk.withLock { $0.failNext(call, JournalFileError(errno: errno)) }
  }

  /// Stops everything at once, as a kill with a loss of power does.
  ///
  /// Bytes that were not synchronized are lost, locks are released, and every call of a journal
  /// that was open fails with `EIO`. Journals that are opened afterward find the state that the
  /// next launch would find.
  public func cutPower() {
    disk.withLock { $0.cutPower() }
  }

  /// Cuts the power in the middle of the next write, to any file. All earlier writes to that file
  /// have reached the drive, and so have the first bytes of this one, but no others.
  ///
  /// - Parameter count: The number of bytes of the write that reach the drive.
  public func cutPower(inNextWriteAfter count: Int) {
    disk.withLock { $0.cut = count }
  }
}

extension InMemoryFileSystem {
  /// An operation that the file system recorded.
  public enum Operation: Sendable, Hashable {
    /// A new file with a number of bytes was created.
    case created(String, bytes: Int)
    /// An existing file was opened and locked.
    case opened(String)
    /// A file was not opened, because another journal has it open.
    case refused(String)
    /// A number of bytes was read, starting at an offset.
    case read(String, bytes: Int, at: Int)
    /// A number of bytes was written, starting at an offset.
    case wrote(String, bytes: Int, at: Int)
    /// The file was truncated, or extended with zeros.
    case resized(String, to: Int)
    /// The bytes written so far became durable.
    case synchronized(String)
    /// The file was copied.
    case copied(String, to: String)
    /// A call failed, because the test requested it, or because the disk is full.
    case failed(Call, String, errno: Int32)
    /// The file was closed, and its lock released.
    case closed(String)
    /// The power was cut: see ``InMemoryFileSystem/cutPower()``.
    case lostPower
  }

  /// A call that a journal makes to its file system, and that can be refused.
  public enum Call: String, Sendable, Hashable, CaseIterable {
    /// Opening a file, or creating one.
    case open
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Truncating a file, or extending it.
    case setSize
    /// Making written bytes durable.
    case synchronize
    /// Copying a file.
    case copy
  }
}

extension JournalFileSystem {
  /// Returns a file system in memory.
  ///
  /// ```swift
  /// let files = InMemoryFileSystem()
  /// journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  /// ```
  ///
  /// - Parameter files: The files, and the record of the operations on them.
  public static func inMemory(_ files: InMemoryFileSystem) -> JournalFileSystem {
    JournalFileSystem(files)
  }
}

/// An open file.
private final class InMemoryFile: JournalFile {
  private let handle: InMemoryDisk.Handle
  private let fileSystem: InMemoryFileSystem

  init(_ handle: InMemoryDisk.Handle, of fileSystem: InMemoryFileSystem) {
    self.handle = handle
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(handle) }

  var size: Int {
    get throws(JournalFileError) {
      try fileSystem.perform { disk throws(JournalFileError) in try disk.size(of: handle) }
    }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try fileSystem.perform { disk throws(JournalFileError) in
      try disk.read(count, at: offset, of: handle)
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    try fileSystem.perform { disk throws(JournalFileError) in
      try disk.write(bytes, at: offset, to: handle)
    }
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    try fileSystem.perform { disk throws(JournalFileError) in
      try disk.setSize(size, of: handle)
    }
  }

  func synchronize() throws(JournalFileError) {
    try fileSystem.perform { disk throws(JournalFileError) in try disk.synchronize(handle) }
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    try fileSystem.perform { disk throws(JournalFileError) in try disk.copy(handle, to: path) }
  }
}
