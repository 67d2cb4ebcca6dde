import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting

/// A file system in memory that knows whether its one file is locked.
final class LockingFileSystem: JournalStorage {
  fileprivate struct State {
    var isLocked = true
    var synchronizations: [Bool] = []
  }

  let base = InMemoryFileSystem()
  fileprivate let state = Locked(State())

  var isLocked: Bool { state.withLock { $0.isLocked } }
  var lockedWhileSynchronizing: [Bool] { state.withLock { $0.synchronizations } }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    .made(LockingFile(try base.make(path, with: bytes), self))
  }
}

private final class LockingFile: WrappedJournalFile {
  let base: any JournalFile
  private let fileSystem: LockingFileSystem

  init(_ base: any JournalFile, _ fileSystem: LockingFileSystem) {
    self.base = base
    self.fileSystem = fileSystem
  }

  func synchronize() throws(JournalFileError) {
    fileSystem.state.withLock { $0.synchronizations.append($0.isLocked) }
    try base.synchronize()
  }

  func lock() throws(JournalFileError) -> Bool {
    fileSystem.state.withLock { $0.isLocked = true }
    return true
  }

  func unlock() -> Bool {
    fileSystem.state.withLock { $0.isLocked = false }
    return true
  }
}
