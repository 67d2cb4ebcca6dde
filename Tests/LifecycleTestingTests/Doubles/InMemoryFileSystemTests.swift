import CustomDump
import Foundation
import LifecycleCore
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("In-memory file system")
struct InMemoryFileSystemTests {
  private let files = InMemoryFileSystem()
  private let clock = ManualClock()
  private let failures = Collector<LifecycleJournal.WriteError>()

  private func open(
    _ bus: NonisolatedLifecycleBus? = nil
  ) throws(LifecycleJournal.OpenError) -> LifecycleJournal {
    try LifecycleJournal(
      at: "/state",
      of: bus ?? NonisolatedLifecycleBus(clock: clock),
      fileSystem: .inMemory(files)
    ) { [failures] in failures($0) }
  }

  // MARK: Failures

  @Test(
    "A journal whose opening fails at any call is refused, and opens the next time",
    arguments: InMemoryFileSystem.Call.allCases
  )
  func refusedOpening(_ call: InMemoryFileSystem.Call) throws {
    files.setContents([1], of: "/state")
    files.failNext(call, errno: EROFS)
    #expect(throws: LifecycleJournal.OpenError.self) { try open() }
    // Once; and the file was closed.
    _ = try open()
  }

  @Test(
    "An empty file whose first write fails stays empty, and is a first launch",
    arguments: [InMemoryFileSystem.Call.write, .synchronize]
  )
  func emptyFileStaysEmpty(_ call: InMemoryFileSystem.Call) throws {
    files.setContents([], of: "/state")
    files.failNext(call, errno: EIO)
    #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: EIO)) {
      try open()
    }
    expectNoDifference(files.contents(of: "/state"), [])
    expectNoDifference(try open().previousRun.exit, .firstLaunch)
  }

  @Test("Failures of failNext come once each, in the order of the requests")
  func failuresInTurn() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    files.failNext(.write, errno: EIO)
    files.failNext(.write, errno: ENOSPC)
    bus.send(.didFinishLaunching)
    #expect(throws: LifecycleJournal.WriteError.cannotWrite(path: "/state", errno: ENOSPC)) {
      try journal.set(1, forKey: "k")
    }
    try journal.set(2, forKey: "k")
    expectNoDifference(
      failures.take(),
      [.cannotWrite(path: "/state", errno: EIO)]
    )
  }

  @Test("A full disk refuses a new file; an existing journal is still written")
  func fullDisk() throws {
    let error = LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: ENOSPC)
    files.capacity = 8191
    #expect(throws: error) { try open() }
    expectNoDifference(files.paths, [])
    files.capacity = 8192
    let bus = NonisolatedLifecycleBus(clock: clock)
    do {
      let journal = try open(bus)
      bus.send(.didBecomeActive)
      try journal.set("value", forKey: "key")
    }
    expectNoDifference(failures.take(), [])
    #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/other", errno: ENOSPC)) {
      try LifecycleJournal(at: "/other", of: bus, fileSystem: .inMemory(files))
    }
  }

  @Test("A write beyond the capacity is written up to the capacity, and fails")
  func partOfAWrite() throws {
    files.capacity = 10
    guard case .made(let file) = try files.open("/f", orMakeWith: [1, 2, 3, 4]) else {
      Issue.record("not made")
      return
    }
    #expect(throws: JournalFileError(errno: ENOSPC)) {
      try file.write([UInt8](repeating: 7, count: 9), at: 2)
    }
    expectNoDifference(files.contents(of: "/f"), [1, 2, 7, 7, 7, 7, 7, 7, 7, 7])
    #expect(throws: JournalFileError(errno: ENOSPC)) { try file.setSize(11) }
    #expect(throws: JournalFileError(errno: ENOSPC)) { try file.write([1], at: 12) }
    try file.setSize(2)
    try file.write([5], at: 4)
    expectNoDifference(files.contents(of: "/f"), [1, 2, 0, 0, 5])
    expectNoDifference(try file.read(10, at: 1), [2, 0, 0, 5])
    expectNoDifference(try file.read(10, at: 9), [])
    try file.setSize(7)
    expectNoDifference(files.contents(of: "/f"), [1, 2, 0, 0, 5, 0, 0])
  }

  // MARK: Threads

  @Test("Of journals that several threads open on one path, one is open at a time")
  func severalThreadsOpenOnePath() async {
    let opened = Locked(0)
    await awaitOtherThreads(4) { _ in
      for _ in 0..<50 {
        let bus = NonisolatedLifecycleBus(clock: clock)
        guard let journal = try? open(bus) else { continue }
        opened.withLock { $0 += 1 }
        bus.send(.didBecomeActive)
        withExtendedLifetime(journal) {}
      }
    }
    let journal = try? open()
    expectNoDifference(journal?.runNumber, opened.withLock { $0 } + 1)
  }

  // MARK: Loss of power

  @Test("A power cut keeps what was synchronized, loses the rest, and unlocks all files")
  func powerLossKeepsWhatWasSynchronized() throws {
    guard case .made(let file) = try files.open("/f", orMakeWith: [1, 2, 3]) else {
      Issue.record("not made")
      return
    }
    try file.write([7], at: 0)
    try file.synchronize()
    try file.write([8], at: 1)
    try file.setSize(2)
    expectNoDifference(files.contents(of: "/f"), [7, 8])
    files.cutPower()
    expectNoDifference(files.contents(of: "/f"), [7, 2, 3])
    let dead = JournalFileError(errno: EIO)
    #expect(throws: dead) { try file.size }
    #expect(throws: dead) { try file.write([1], at: 0) }
    guard case .opened(let next) = try files.open("/f", orMakeWith: []) else {
      Issue.record("not opened")
      return
    }
    expectNoDifference(try next.read(10, at: 0), [7, 2, 3])
    // What the test sets is durable.
    files.setContents([9], of: "/f")
    files.cutPower()
    expectNoDifference(files.contents(of: "/f"), [9])
    withExtendedLifetime(file) {}
  }

  @Test("A file from before a power cut does not unlock a later one when it is released")
  func deadFile() throws {
    var dead: LifecycleJournal? = try open()
    files.cutPower()
    let alive = try open()
    withExtendedLifetime(dead) {}
    dead = nil
    #expect(throws: LifecycleJournal.OpenError.inUse(path: "/state", processID: getpid())) {
      try open()
    }
    withExtendedLifetime(alive) {}
  }
}
