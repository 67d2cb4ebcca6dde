public import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// A file system for journals that is in memory, and records what is done to it.
///
/// ```swift
/// let files = InMemoryFileSystem()
/// let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
/// bus.send(.didBecomeActive)
/// files.cutPower()
/// let next = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
/// // next.previousRun.exit == .killedInForeground
/// ```
///
/// It keeps what journals rely on: a file that is open is locked until its journal is released or
/// ended, or until ``cutPower()``, in the background too, as there is no other process; what was
/// synchronized stays. All directories exist, and there are no links. Thread-safe.
///
/// Failures are a test's to choose: ``failNext(_:errno:)`` refuses a call, ``capacity`` fills the disk,
/// ``cutPower(inNextWriteAfter:)`` stops in the middle of a write, and ``setContents(_:of:)`` damages a
/// byte, or all of them.
public final class InMemoryFileSystem: JournalStorage {
  private let disk: Locked<InMemoryDisk>

  /// An empty one.
  ///
  /// - Parameter makesWholeFiles: Whether a new file appears with all its bytes, as on Linux. If not,
  ///   it is empty at first, as on Apple platforms.
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

  /// All that was done so far, the oldest first.
  public var operations: [Operation] { disk.withLock { $0.operations } }

  /// The paths of all files, sorted.
  public var paths: [String] { disk.withLock { $0.paths } }

  /// What a file holds, whether that was synchronized or not; nil if there is none.
  public func contents(of path: String) -> [UInt8]? { disk.withLock { $0.contents(of: path) } }

  // MARK: What goes wrong

  /// Makes, overwrites or removes a file, as another program would, and durably. A journal that has it
  /// open keeps it open.
  ///
  /// ```swift
  /// var bytes = files.contents(of: "/state")!
  /// bytes[50] ^= 1
  /// files.setContents(bytes, of: "/state")
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: All that it holds; nil removes it.
  ///   - path: Where it is.
  public func setContents(_ bytes: [UInt8]?, of path: String) {
    disk.withLock { $0.setContents(bytes, of: path) }
  }

  /// How many bytes all files together may have; nil, as at first, for no limit. A write, a copy or a
  /// new file that needs more fails with `ENOSPC`, after the part of a write that has room.
  public var capacity: Int? {
    get { disk.withLock { $0.capacity } }
    set { disk.withLock { $0.capacity = newValue } }
  }

  /// Refuses the next call of that kind, which then changes nothing. Called again, it refuses the one
  /// after that, too.
  ///
  /// - Parameters:
  ///   - call: What is refused.
  ///   - errno: The system's number for the reason, such as `EACCES`.
  public func failNext(_ call: Call, errno: Int32) {
    disk.withLock { $0.failNext(call, JournalFileError(errno: errno)) }
  }

  /// Has everything stop at once, as a kill and a loss of power do: what was not synchronized is lost,
  /// locks are gone, and every call of a journal that was open fails with `EIO`. Journals that are
  /// opened after that find what the next launch would.
  public func cutPower() {
    disk.withLock { $0.cutPower() }
  }

  /// Cuts the power in the middle of the next write, whichever file it is to. What was written before
  /// has reached the drive, and so have the first bytes of this one; no others.
  ///
  /// - Parameter count: How many bytes of it are written.
  public func cutPower(inNextWriteAfter count: Int) {
    disk.withLock { $0.cut = count }
  }
}

extension InMemoryFileSystem {
  /// Something that was done.
  public enum Operation: Sendable, Hashable {
    /// A new file was made, of so many bytes.
    case created(String, bytes: Int)
    /// A file that was there was opened and locked.
    case opened(String)
    /// A file was not opened: another journal has it.
    case refused(String)
    /// So many bytes were read from that byte on.
    case read(String, bytes: Int, at: Int)
    /// So many bytes were written from that byte on.
    case wrote(String, bytes: Int, at: Int)
    /// The file was cut off, or grew by zeros.
    case resized(String, to: Int)
    /// What was written stays from now on.
    case synchronized(String)
    /// The file was copied.
    case copied(String, to: String)
    /// A call failed, because of a failure that the test has asked for, or of a full disk.
    case failed(Call, String, errno: Int32)
    /// The file was closed, and its lock given back.
    case closed(String)
    /// See ``InMemoryFileSystem/cutPower()``.
    case lostPower
  }

  /// What a journal asks of its file system, and what can be refused.
  public enum Call: String, Sendable, Hashable, CaseIterable {
    /// Opening a file, or making one.
    case open
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Cutting a file off, or letting it grow.
    case setSize
    /// Making durable what was written.
    case synchronize
    /// Copying a file.
    case copy
  }
}

extension JournalFileSystem {
  /// A file system in memory.
  ///
  /// ```swift
  /// let files = InMemoryFileSystem()
  /// let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
  /// ```
  ///
  /// - Parameter files: The files, and what was done to them.
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
