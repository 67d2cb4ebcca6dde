import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("In-memory file system")
struct InMemoryFileSystemTests {
  private let files = InMemoryFileSystem()
  private let clock = ManualClock()
  private let failures = WriteFailures()

  private func open(
    _ bus: NonisolatedLifecycleBus? = nil,
    in files: InMemoryFileSystem? = nil
  ) throws(LifecycleJournal.OpenError) -> LifecycleJournal {
    try LifecycleJournal(
      at: "/state",
      of: bus ?? NonisolatedLifecycleBus(clock: clock),
      fileSystem: .inMemory(files ?? self.files)
    ) { [failures] in failures.add($0) }
  }

  @Test("What a journal does is recorded: a transition is one write, and one synchronization")
  func journalOperationsAreRecorded() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var journal: LifecycleJournal? = try open(bus)
    bus.send(.didFinishLaunching)
    try journal?.set("v", forKey: "k")
    journal?.end()
    journal = nil
    journal = try open()
    let operations = files.operations
    expectNoDifference(
      operations.prefix { $0 != .opened("/state") },
      [
        .created("/state", bytes: 8192),
        .wrote("/state", bytes: 105, at: 4096),
        .synchronized("/state"),
        .wrote("/state", bytes: 113, at: 0),
        .synchronized("/state"),
        .wrote("/state", bytes: 113, at: 4096),
        .synchronized("/state"),
        .closed("/state"),
      ]
    )
    #expect(operations.contains(.opened("/state")))
    #expect(operations.contains(.read("/state", bytes: 8192, at: 0)))
    withExtendedLifetime(journal) {}
  }

  enum Unlocking: CaseIterable { case release, end, powerCut }

  @Test(
    """
    Two journals on one path: the second is refused, also in the background, until the first is \
    released or ended, or the power is cut
    """,
    arguments: Unlocking.allCases
  )
  func inUse(until unlocking: Unlocking) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var first: LifecycleJournal? = try open(bus)
    bus.send(.didEnterBackground)
    #expect(throws: LifecycleJournal.OpenError.inUse(path: "/state", processID: getpid())) {
      try open()
    }
    #expect(files.operations.contains(.refused("/state")))
    switch unlocking {
    case .release: first = nil
    case .end: first?.end()
    case .powerCut: files.cutPower()
    }
    expectNoDifference(
      try open().previousRun.exit,
      unlocking == .end ? .endedProperly : .killedInBackground
    )
    withExtendedLifetime(first) {}
  }

  // MARK: Failures

  @Test("Each call of an opening can be refused", arguments: InMemoryFileSystem.Call.allCases)
  func refusedOpening(_ call: InMemoryFileSystem.Call) throws {
    files.setContents([1], of: "/state")
    files.failNext(call, errno: EROFS)
    #expect(throws: LifecycleJournal.OpenError.self) { try open() }
    expectNoDifference(
      files.operations.filter { if case .failed = $0 { true } else { false } },
      [.failed(call, "/state", errno: EROFS)]
    )
    // Once; and the file was closed.
    _ = try open()
  }

  @Test("Failures come in the order in which they were asked for")
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

  @Test("A full disk has no room for a new file; a journal that is there goes on")
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

  @Test("A write that the disk has too little room for is written as far as it has")
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
    expectNoDifference(
      files.operations.prefix(3),
      [
        .created("/f", bytes: 4), .wrote("/f", bytes: 8, at: 2),
        .failed(.write, "/f", errno: ENOSPC),
      ]
    )
  }

  // MARK: Threads

  @Test("Several threads open journals on one path: one has it at a time")
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

  @Test("The power ends: what was synchronized stays, the rest is lost, and nothing is locked")
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
    expectNoDifference(
      files.operations.suffix(4),
      [.resized("/f", to: 2), .lostPower, .opened("/f"), .read("/f", bytes: 3, at: 0)]
    )
    // What the test sets is durable.
    files.setContents([9], of: "/f")
    files.cutPower()
    expectNoDifference(files.contents(of: "/f"), [9])
    withExtendedLifetime(file) {}
  }

  @Test("A dead file that is released gives nobody else's lock back")
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

  @Test("A cut in the middle of a write leaves the earlier writes to that file, and no others")
  func cutKeepsEarlierWritesToThatFile() throws {
    guard
      case .made(let cut) = try files.open("/cut", orMakeWith: [0, 0, 0, 0]),
      case .made(let other) = try files.open("/other", orMakeWith: [0, 0])
    else {
      Issue.record("not made")
      return
    }
    try cut.write([1], at: 0)
    try other.write([1], at: 0)
    files.cutPower(inNextWriteAfter: 1)
    #expect(throws: JournalFileError(errno: EIO)) { try cut.write([2, 3], at: 2) }
    expectNoDifference(files.contents(of: "/cut"), [1, 0, 2, 0])
    expectNoDifference(files.contents(of: "/other"), [0, 0])
  }

  @Test("A transition that was delivered stays through a loss of power")
  func deliveredTransitionSurvivesLossOfPower() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    bus.send(.didBecomeActive)
    files.cutPower()
    expectNoDifference(try open().previousRun.exit, .killedInForeground)
    bus.send(.didEnterBackground)
    expectNoDifference(
      failures.take(),
      [.cannotWrite(path: "/state", errno: EIO)]
    )
    withExtendedLifetime(journal) {}
  }

  @Test("Where files can't appear as a whole, an opening that is cut off is a first launch")
  func cutOpening() throws {
    let files = InMemoryFileSystem(makesWholeFiles: false)
    files.cutPower(inNextWriteAfter: 100)
    #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: EIO)) {
      try open(in: files)
    }
    expectNoDifference(files.operations.first, .created("/state", bytes: 0))
    expectNoDifference(try open(in: files).previousRun.exit, .firstLaunch)
  }
}
