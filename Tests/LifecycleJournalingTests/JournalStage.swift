import Foundation
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

/// A directory of its own for a test's journal, and what is in it.
final class JournalStage: Sendable {
  private let folder = TemporaryDirectory()

  var directory: String { folder.path }
  var path: String { folder.path("state") }

  /// What the file holds.
  var bytes: [UInt8] {
    get { Self.bytes(at: path) }
    set { Self.write(newValue, to: path) }
  }

  static func bytes(at path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map(Array.init) ?? []
  }

  static func write(_ bytes: [UInt8], to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }

  /// The names of the files in the directory.
  var names: [String] { folder.names }

  /// Does something while the file, which a journal has open, can't be written to. It must stay open.
  func refusingWrites<Result>(_ body: () throws -> Result) throws -> Result {
    var named = stat()
    let descriptor = try #require(
      (3..<CInt(4096)).first { candidate in
        var status = stat()
        return stat(path, &named) == 0 && fstat(candidate, &status) == 0
          && status.st_ino == named.st_ino && status.st_dev == named.st_dev
      }
    )
    // The lock stays with the copy meanwhile.
    let copy = dup(descriptor)
    let readable = open(path, O_RDONLY)
    dup2(readable, descriptor)
    defer {
      dup2(copy, descriptor)
      close(copy)
      close(readable)
    }
    return try body()
  }

  /// A run of a program that opens the journal, sends these inputs, and is killed.
  @discardableResult
  func run(
    _ clock: ManualClock = ManualClock(),
    _ kinds: LifecycleEvent.Kind...
  ) throws -> LifecycleJournal.PreviousRun {
    try run(clock, version: nil, kinds)
  }

  /// A run of a version of a program.
  @discardableResult
  func run(
    _ clock: ManualClock,
    version: String?,
    _ kinds: [LifecycleEvent.Kind]
  ) throws -> LifecycleJournal.PreviousRun {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: path, of: bus, version: version)
    for kind in kinds { bus.send(kind) }
    return withExtendedLifetime(journal) { journal.previousRun }
  }
}

extension ManualClock {
  /// The clock after a restart of the machine, when the wall clock shows that much more.
  func afterRestart(wallLater shift: Duration) -> ManualClock {
    ManualClock(
      LifecycleInstant(
        continuous: .boot + .seconds(5),
        timeAwake: .seconds(5),
        timeSince1970: now.timeSince1970 + shift
      ),
      bootID: BootID(rawValue: "another")
    )
  }
}

extension JournalContents {
  init(of stage: JournalStage) {
    let bytes = stage.bytes
    self.init(Array(bytes.prefix(8192)), size: bytes.count)
  }

  /// The number of the write that is read; zero if there is none.
  var generation: UInt64 {
    if case .entry(_, let generation) = self { generation } else { 0 }
  }

  var entry: JournalEntry? {
    if case .entry(let entry, _) = self { entry } else { nil }
  }

  var phase: LifecyclePhase? { entry?.phase }
}

extension JournalEntry {
  /// An entry unlike others of other numbers.
  static func sample(
    _ number: Int,
    phase: LifecyclePhase = .active,
    valueSize: Int? = nil
  ) -> JournalEntry {
    let time = Duration.seconds(number) + .milliseconds(number)
    var entry = JournalEntry(
      phase: phase,
      signOfLife: LifecycleInstant([time * 2, time, time * 4]),
      boot: BootID(rawValue: "2b3f0a50-0000-4000-8000-000000000000"),
      processID: Int32(number),
      run: UInt64(number.magnitude),
      version: number.isMultiple(of: 2) ? nil : "1.2.3"
    )
    if let valueSize {
      let value = (0..<valueSize).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
      entry.values = entry.values.setting([("value", value)], capacity: 4096).values
    }
    return entry
  }
}

/// A file system in memory that notes what a journal does with its one file, and on which thread.
final class NotingFileSystem: JournalStorage {
  struct Call {
    var name: String
    var thread: ObjectIdentifier
    var isOnMainActor: Bool
  }

  let base: InMemoryFileSystem
  fileprivate let calls = Locked<[Call]>([])

  init(_ base: InMemoryFileSystem = InMemoryFileSystem()) {
    self.base = base
  }

  /// Hands out the calls, and starts again.
  func take() -> [Call] { calls.exchange([]) }

  fileprivate func note(_ name: String) {
    let call = Call(name: name, thread: currentThread(), isOnMainActor: MainQueue.isCurrent)
    calls.withLock { $0.append(call) }
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    note("made")
    return switch try base.open(path, orMakeWith: bytes) {
    case .made(let file): .made(NotingFile(file, self))
    case .opened(let file): .opened(NotingFile(file, self))
    case let opening: opening
    }
  }
}

private final class NotingFile: JournalFile {
  private let base: any JournalFile
  private let fileSystem: NotingFileSystem

  init(_ base: any JournalFile, _ fileSystem: NotingFileSystem) {
    self.base = base
    self.fileSystem = fileSystem
  }

  var size: Int {
    get throws(JournalFileError) { try base.size }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try base.read(count, at: offset)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    fileSystem.note("wrote")
    try base.write(bytes, at: offset)
  }

  func setSize(_ size: Int) throws(JournalFileError) { try base.setSize(size) }

  func synchronize() throws(JournalFileError) {
    fileSystem.note("synchronized")
    try base.synchronize()
  }

  func lock() throws(JournalFileError) -> Bool {
    fileSystem.note("locked")
    return true
  }

  func unlock() -> Bool {
    fileSystem.note("unlocked")
    return true
  }

  func copy(to path: String) throws(JournalFileError) -> Bool { try base.copy(to: path) }
}
