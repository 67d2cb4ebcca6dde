import Foundation
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// The system's file system in a directory of its own, with the failures of an ``InMemoryFileSystem``.
final class RealFileSystem: JournalStorage {
  typealias Call = InMemoryFileSystem.Call

  fileprivate struct Faults {
    var failures: [Call: [Int32]] = [:]
    var cut: Int?
    var era = 0
    var files: [Weak<RealFile>] = []
  }

  private let folder = TemporaryDirectory()
  fileprivate let faults = Locked(Faults())

  var directory: String { folder.path }
  var names: [String] { folder.names }

  func contents(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: directory + "/" + name).map(Array.init)
  }

  /// In place, so that whoever has it open sees it.
  func setContents(_ bytes: [UInt8]?, of name: String) {
    let path = directory + "/" + name
    guard let bytes else {
      unlink(path)
      return
    }
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var written = 0
    while written < bytes.count {
      written += bytes[written...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
    }
    close(descriptor)
  }

  func failNext(_ call: Call, errno: Int32) {
    faults.withLock { $0.failures[call, default: []].append(errno) }
  }

  func cutPower(inNextWriteAfter count: Int) {
    faults.withLock { $0.cut = count }
  }

  fileprivate func check(_ call: Call) throws(JournalFileError) {
    let number = faults.withLock { faults -> Int32? in
      guard faults.failures[call]?.isEmpty == false else { return nil }
      return faults.failures[call]?.removeFirst()
    }
    if let number { throw JournalFileError(errno: number) }
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    try check(.open)
    func keep(_ file: any JournalFile) -> RealFile {
      let file = RealFile(file, self)
      faults.withLock { $0.files.append(Weak(file)) }
      return file
    }
    return switch try SystemJournalFileSystem().open(path, orMakeWith: bytes) {
    case .opened(let file): .opened(keep(file))
    case .made(let file): .made(keep(file))
    case .inUse(let file): .inUse(keep(file))
    case .notARegularFile(let kind): .notARegularFile(kind)
    }
  }

  fileprivate func cutPower() {
    let files = faults.withLock { faults in
      faults.cut = nil
      defer { faults.files = [] }
      return faults.files
    }
    for file in files { file.object?.die() }
  }
}

private final class RealFile: JournalFile {
  /// Nil after a loss of power.
  private let file: Locked<(any JournalFile)?>
  private let fileSystem: RealFileSystem

  init(_ file: any JournalFile, _ fileSystem: RealFileSystem) {
    self.file = Locked(file)
    self.fileSystem = fileSystem
  }

  func die() { _ = file.withLock { $0.take() } }

  private func checked(_ call: RealFileSystem.Call?) throws(JournalFileError) -> any JournalFile {
    guard let file = file.withLock({ $0 }) else { throw JournalFileError(errno: EIO) }
    if let call { try fileSystem.check(call) }
    return file
  }

  var size: Int {
    get throws(JournalFileError) { try checked(nil).size }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try checked(.read).read(count, at: offset)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    let file = try checked(.write)
    guard let cut = fileSystem.faults.withLock({ $0.cut }) else {
      return try file.write(bytes, at: offset)
    }
    try file.write(Array(bytes.prefix(cut)), at: offset)
    fileSystem.cutPower()
    throw JournalFileError(errno: EIO)
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    try checked(.setSize).setSize(size)
  }

  func synchronize() throws(JournalFileError) {
    try checked(.synchronize).synchronize()
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    try checked(.copy).copy(to: path)
  }
}
