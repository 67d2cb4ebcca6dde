import LifecycleCore
public import LifecycleJournaling
import LifecycleSupport

/// An in-memory file system for journals.
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
/// no other process. Synchronized bytes are durable, and a new file appears with all its bytes. All
/// directories exist, and there are no links. Thread-safe.
public final class InMemoryFileSystem: JournalStorage {
  /// A call that a journal makes to its file system, and that can be refused.
  package enum Call: Sendable, CaseIterable {
    case open, read, write, setSize, synchronize, copy
  }

  private let disk = Locked(Disk())

  /// Creates an empty file system.
  public init() {}

  package func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    let (handle, isNew) = try perform { disk throws(JournalFileError) in
      try disk.open(path, orMakeWith: bytes)
    }
    let file = InMemoryFile(handle, of: self)
    if isNew { return .made(file) }
    return handle.holdsLock ? .opened(file) : .inUse(file)
  }

  fileprivate func perform<Result: Sendable>(
    _ body: (inout Disk) throws(JournalFileError) -> Result
  ) throws(JournalFileError) -> Result {
    try disk.withLock { disk throws(JournalFileError) in try body(&disk) }
  }

  fileprivate func close(_ handle: Disk.Handle) {
    disk.withLock { $0.close(handle) }
  }

  // MARK: The test's side

  /// The maximum number of bytes in all files together; nil, the initial value, means no limit. A
  /// write, a copy or a new file that needs more fails with `ENOSPC`; a write stores the part that
  /// fits first.
  public var capacity: Int? {
    get { disk.withLock { $0.capacity } }
    set { disk.withLock { $0.capacity = newValue } }
  }

  /// Stops everything at once, as a kill with a loss of power does.
  ///
  /// Bytes that were not synchronized are lost, locks are released, and every call of a journal
  /// that was open fails with `EIO`. Journals that are opened afterward find the state that the
  /// next launch would find.
  public func cutPower() {
    disk.withLock { $0.cutPower() }
  }

  /// Refuses the next call of a kind, which then changes nothing. A second call of this method
  /// refuses the call after that, too.
  package func failNext(_ call: Call, errno: Int32) {
    disk.withLock { $0.failures[call, default: []].append(JournalFileError(errno: errno)) }
  }

  /// The paths of all files, sorted.
  package var paths: [String] { disk.withLock { $0.paths } }

  /// Returns the contents of a file, synchronized or not; nil if there is no such file.
  package func contents(of path: String) -> [UInt8]? { disk.withLock { $0.contents(of: path) } }

  /// Creates, overwrites or (with nil) removes a file durably, as another program would. A journal
  /// that has the file open keeps it open.
  package func setContents(_ bytes: [UInt8]?, of path: String) {
    disk.withLock { $0.setContents(bytes, of: path) }
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
  /// - Parameter files: The files.
  public static func inMemory(_ files: InMemoryFileSystem) -> JournalFileSystem {
    JournalFileSystem(files)
  }
}

/// An open file.
private final class InMemoryFile: JournalFile {
  private let handle: Disk.Handle
  private let fileSystem: InMemoryFileSystem

  init(_ handle: Disk.Handle, of fileSystem: InMemoryFileSystem) {
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

/// The contents of the file system. Pure.
private struct Disk {
  /// An open file.
  struct Handle: Sendable {
    let file: Int
    let holdsLock: Bool
    /// The number of power cuts before the file was opened.
    let era: Int
  }

  private struct File {
    var bytes: [UInt8]
    /// The bytes that survive a loss of power.
    var durable: [UInt8]
    var isLocked = false
  }

  var capacity: Int?
  var failures: [InMemoryFileSystem.Call: [JournalFileError]] = [:]
  /// All files, including those that no longer have a name.
  private var files: [File] = []
  private var numbers: [String: Int] = [:]
  private var era = 0

  // MARK: The test's side

  var paths: [String] { numbers.keys.sorted() }

  func contents(of path: String) -> [UInt8]? { numbers[path].map { files[$0].bytes } }

  mutating func setContents(_ bytes: [UInt8]?, of path: String) {
    guard let bytes else {
      numbers[path] = nil
      return
    }
    let number = numbers[path] ?? add([], at: path)
    files[number].bytes = bytes
    files[number].durable = bytes
  }

  mutating func cutPower() {
    era += 1
    for number in files.indices {
      files[number].bytes = files[number].durable
      files[number].isLocked = false
    }
  }

  // MARK: The journal's side

  mutating func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> (Handle, isNew: Bool) {
    try check(.open)
    let existing = numbers[path]
    if existing == nil, bytes.count > room { throw JournalFileError(errno: ENOSPC) }
    let number = existing ?? add(bytes, at: path)
    let handle = Handle(file: number, holdsLock: !files[number].isLocked, era: era)
    files[number].isLocked = true
    return (handle, existing == nil)
  }

  mutating func close(_ handle: Handle) {
    if handle.holdsLock, handle.era == era { files[handle.file].isLocked = false }
  }

  func size(of handle: Handle) throws(JournalFileError) -> Int {
    try checkPower(handle)
    return files[handle.file].bytes.count
  }

  mutating func read(
    _ count: Int,
    at offset: Int,
    of handle: Handle
  ) throws(JournalFileError) -> [UInt8] {
    try check(.read, handle)
    return Array(files[handle.file].bytes.dropFirst(offset).prefix(count))
  }

  mutating func write(
    _ bytes: [UInt8],
    at offset: Int,
    to handle: Handle
  ) throws(JournalFileError) {
    try check(.write, handle)
    let size = files[handle.file].bytes.count
    let missing = max(0, offset + bytes.count - size) - max(0, room)
    let fitting = bytes.dropLast(max(0, missing))
    if !fitting.isEmpty {
      let zeros = max(0, offset + fitting.count - size)
      files[handle.file].bytes.append(contentsOf: repeatElement(0, count: zeros))
      files[handle.file].bytes.replaceSubrange(offset..<offset + fitting.count, with: fitting)
    }
    if missing > 0 { throw JournalFileError(errno: ENOSPC) }
  }

  /// Changes the size of a file. Zeros that a file grows by take space, unlike those on most
  /// drives.
  mutating func setSize(_ size: Int, of handle: Handle) throws(JournalFileError) {
    try check(.setSize, handle)
    let growth = size - files[handle.file].bytes.count
    guard growth <= max(0, room) else { throw JournalFileError(errno: ENOSPC) }
    if growth > 0 {
      files[handle.file].bytes.append(contentsOf: repeatElement(0, count: growth))
    } else {
      files[handle.file].bytes.removeLast(-growth)
    }
  }

  mutating func synchronize(_ handle: Handle) throws(JournalFileError) {
    try check(.synchronize, handle)
    files[handle.file].durable = files[handle.file].bytes
  }

  mutating func copy(_ handle: Handle, to path: String) throws(JournalFileError) -> Bool {
    try check(.copy, handle)
    guard numbers[path] == nil else { return false }
    let bytes = files[handle.file].bytes
    guard bytes.count <= room else { throw JournalFileError(errno: ENOSPC) }
    _ = add(bytes, at: path)
    return true
  }

  // MARK: Parts

  private mutating func add(_ bytes: [UInt8], at path: String) -> Int {
    files.append(File(bytes: bytes, durable: bytes))
    numbers[path] = files.count - 1
    return files.count - 1
  }

  /// The number of bytes that the files may grow by; negative if the disk was made smaller.
  private var room: Int {
    guard let capacity else { return .max }
    return capacity - numbers.values.reduce(0) { $0 + files[$1].bytes.count }
  }

  private func checkPower(_ handle: Handle) throws(JournalFileError) {
    if handle.era != era { throw JournalFileError(errno: EIO) }
  }

  /// Throws if the power was cut, or else the failure that the test requested.
  private mutating func check(
    _ call: InMemoryFileSystem.Call,
    _ handle: Handle? = nil
  ) throws(JournalFileError) {
    if let handle { try checkPower(handle) }
    guard let error = failures[call]?.first else { return }
    failures[call]?.removeFirst()
    throw error
  }
}
