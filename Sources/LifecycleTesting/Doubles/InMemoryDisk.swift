import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// The contents of an ``InMemoryFileSystem``. Pure.
struct InMemoryDisk {
  typealias Operation = InMemoryFileSystem.Operation
  typealias Call = InMemoryFileSystem.Call

  /// An open file.
  struct Handle: Sendable {
    /// The path with which the file was opened.
    let path: String
    fileprivate let file: Int
    fileprivate let holdsLock: Bool
    /// The number of power cuts before the file was opened.
    fileprivate let era: Int
  }

  enum Outcome {
    case opened, made, inUse
  }

  private struct File {
    var bytes: [UInt8]
    /// The bytes that survive a loss of power.
    var durable: [UInt8]
    var isLocked = false
  }

  let makesWholeFiles: Bool
  var capacity: Int?
  /// The number of bytes of the next write after which the power is cut; nil for no cut.
  var cut: Int?
  private(set) var operations: [Operation] = []
  /// The files by their numbers, including files that no longer have a name.
  private var files: [Int: File] = [:]
  private var numbers: [String: Int] = [:]
  private var nextNumber = 0
  private var era = 0
  private var failures: [Call: [JournalFileError]] = [:]

  init(makesWholeFiles: Bool) {
    self.makesWholeFiles = makesWholeFiles
  }

  // MARK: The test's side

  var paths: [String] { numbers.keys.sorted() }

  func contents(of path: String) -> [UInt8]? { numbers[path].flatMap { files[$0]?.bytes } }

  mutating func setContents(_ bytes: [UInt8]?, of path: String) {
    guard let bytes else {
      numbers[path] = nil
      return
    }
    if let number = numbers[path] {
      files[number]?.bytes = bytes
      files[number]?.durable = bytes
    } else {
      add(bytes, at: path)
    }
  }

  mutating func failNext(_ call: Call, _ error: JournalFileError) {
    failures[call, default: []].append(error)
  }

  mutating func cutPower() {
    operations.append(.lostPower)
    era += 1
    cut = nil
    for number in files.keys {
      files[number]!.bytes = files[number]!.durable
      files[number]!.isLocked = false
    }
  }

  // MARK: The journal's side

  mutating func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> (Handle, Outcome) {
    try check(.open, path)
    if let number = numbers[path] {
      if files[number]!.isLocked {
        operations.append(.refused(path))
        return (Handle(path: path, file: number, holdsLock: false, era: era), .inUse)
      }
      operations.append(.opened(path))
      return (lock(number, path), .opened)
    }
    let bytes = makesWholeFiles ? bytes : []
    guard bytes.count <= room else { throw fail(.open, path, JournalFileError(errno: ENOSPC)) }
    operations.append(.created(path, bytes: bytes.count))
    return (lock(add(bytes, at: path), path), makesWholeFiles ? .made : .opened)
  }

  mutating func close(_ handle: Handle) {
    guard handle.holdsLock, handle.era == era else { return }
    operations.append(.closed(handle.path))
    files[handle.file]?.isLocked = false
  }

  mutating func size(of handle: Handle) throws(JournalFileError) -> Int {
    try checkPower(handle)
    return files[handle.file]!.bytes.count
  }

  mutating func read(
    _ count: Int,
    at offset: Int,
    of handle: Handle
  ) throws(JournalFileError) -> [UInt8] {
    try check(.read, handle)
    let bytes = Array(files[handle.file]!.bytes.dropFirst(offset).prefix(count))
    operations.append(.read(handle.path, bytes: bytes.count, at: offset))
    return bytes
  }

  mutating func write(
    _ bytes: [UInt8],
    at offset: Int,
    to handle: Handle
  ) throws(JournalFileError) {
    try check(.write, handle)
    if let cut {
      store(bytes.prefix(cut), at: offset, in: handle)
      files[handle.file]!.durable = files[handle.file]!.bytes
      cutPower()
      throw JournalFileError(errno: EIO)
    }
    let size = files[handle.file]!.bytes.count
    let missing = max(0, offset + bytes.count - size) - max(0, room)
    store(bytes.dropLast(max(0, missing)), at: offset, in: handle)
    if missing > 0 { throw fail(.write, handle.path, JournalFileError(errno: ENOSPC)) }
  }

  private mutating func store(_ bytes: ArraySlice<UInt8>, at offset: Int, in handle: Handle) {
    guard !bytes.isEmpty else { return }
    let size = files[handle.file]!.bytes.count
    let zeros = max(0, offset + bytes.count - size)
    files[handle.file]!.bytes.append(contentsOf: repeatElement(0, count: zeros))
    files[handle.file]!.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    operations.append(.wrote(handle.path, bytes: bytes.count, at: offset))
  }

  /// Changes the size of a file. Zeros that a file grows by take space, unlike those on most
  /// drives.
  mutating func setSize(_ size: Int, of handle: Handle) throws(JournalFileError) {
    try check(.setSize, handle)
    let growth = size - files[handle.file]!.bytes.count
    guard growth <= max(0, room) else {
      throw fail(.setSize, handle.path, JournalFileError(errno: ENOSPC))
    }
    if growth > 0 {
      files[handle.file]!.bytes.append(contentsOf: repeatElement(0, count: growth))
    } else {
      files[handle.file]!.bytes.removeLast(-growth)
    }
    operations.append(.resized(handle.path, to: size))
  }

  mutating func synchronize(_ handle: Handle) throws(JournalFileError) {
    try check(.synchronize, handle)
    files[handle.file]!.durable = files[handle.file]!.bytes
    operations.append(.synchronized(handle.path))
  }

  mutating func copy(_ handle: Handle, to path: String) throws(JournalFileError) -> Bool {
    try check(.copy, handle)
    guard numbers[path] == nil else { return false }
    let bytes = files[handle.file]!.bytes
    guard bytes.count <= room else {
      throw fail(.copy, handle.path, JournalFileError(errno: ENOSPC))
    }
    add(bytes, at: path)
    operations.append(.copied(handle.path, to: path))
    return true
  }

  // MARK: Parts

  @discardableResult
  private mutating func add(_ bytes: [UInt8], at path: String) -> Int {
    defer { nextNumber += 1 }
    files[nextNumber] = File(bytes: bytes, durable: bytes)
    numbers[path] = nextNumber
    return nextNumber
  }

  private mutating func lock(_ number: Int, _ path: String) -> Handle {
    files[number]!.isLocked = true
    return Handle(path: path, file: number, holdsLock: true, era: era)
  }

  /// The number of bytes that the files may grow by; negative if the disk was made smaller.
  private var room: Int {
    guard let capacity else { return .max }
    return capacity - numbers.values.reduce(0) { $0 + files[$1]!.bytes.count }
  }

  private func checkPower(_ handle: Handle) throws(JournalFileError) {
    if handle.era != era { throw JournalFileError(errno: EIO) }
  }

  private mutating func check(_ call: Call, _ handle: Handle) throws(JournalFileError) {
    try checkPower(handle)
    try check(call, handle.path)
  }

  /// Throws the failure that the test requested.
  private mutating func check(_ call: Call, _ path: String) throws(JournalFileError) {
    guard let error = failures[call]?.first else { return }
    failures[call]?.removeFirst()
    throw fail(call, path, error)
  }

  private mutating func fail(
    _ call: Call,
    _ path: String,
    _ error: JournalFileError
  ) -> JournalFileError {
    operations.append(.failed(call, path, errno: error.errno))
    return error
  }
}
