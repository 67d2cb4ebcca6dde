import LifecycleJournaling
import LifecycleSupport

/// The files of one process. When the process is killed they are closed, and later writes are
/// ignored.
final class ProcessFileSystem: JournalStorage {
  private struct State {
    var files: [Weak] = []
    var isAlive = true
    var isLocked = false
  }

  private struct Weak {
    weak let file: ProcessFile?
  }

  private let base: any JournalStorage
  private let state = Locked(State())

  init(_ base: any JournalStorage) {
    self.base = base
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    let (isAlive, isLocked) = state.withLock { ($0.isAlive, $0.isLocked) }
    guard isAlive else { return .opened(ProcessFile(nil)) }
    if isLocked { throw JournalFileError(errno: EPERM) }
    return switch try base.open(path, orMakeWith: bytes) {
    case .opened(let file): .opened(adopt(file))
    case .made(let file): .made(adopt(file))
    case .inUse(let file): .inUse(file)
    case .notARegularFile(let kind): .notARegularFile(kind)
    }
  }

  private func adopt(_ base: any JournalFile) -> ProcessFile {
    let file = ProcessFile(base)
    let isAlive = state.withLock { state in
      if state.isAlive { state.files.append(Weak(file: file)) }
      return state.isAlive
    }
    if !isAlive { file.close() }
    return file
  }

  /// Refuses to open files, as the system does before the first unlock of the device.
  func lock() { state.withLock { $0.isLocked = true } }

  func unlock() { state.withLock { $0.isLocked = false } }

  func kill() {
    let files = state.withLock { state in
      state.isAlive = false
      return state.files
    }
    for file in files { file.file?.close() }
  }
}

/// A file that can be closed while others hold it, and then ignores all calls.
private final class ProcessFile: JournalFile {
  private let base: Locked<(any JournalFile)?>

  init(_ base: (any JournalFile)?) {
    self.base = Locked(base)
  }

  func close() {
    base.take()
  }

  private var open: (any JournalFile)? { base.withLock { $0 } }

  var size: Int {
    get throws(JournalFileError) { try open?.size ?? 0 }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try open?.read(count, at: offset) ?? []
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    try open?.write(bytes, at: offset)
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    try open?.setSize(size)
  }

  func synchronize() throws(JournalFileError) {
    try open?.synchronize()
  }

  func lock() throws(JournalFileError) -> Bool {
    try open?.lock() ?? true
  }

  func unlock() -> Bool {
    open?.unlock() ?? false
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    try open?.copy(to: path) ?? true
  }
}
