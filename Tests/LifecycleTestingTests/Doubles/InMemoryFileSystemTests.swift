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
  let files = InMemoryFileSystem()
  let clock = ManualClock()
  let failures = WriteFailures()

  func open(
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

  @Test("Operations are readable in a dump")
  func operationsAreReadableInADump() {
    var text = ""
    customDump(
      [
        InMemoryFileSystem.Operation.wrote("/state", bytes: 139, at: 4096),
        .failed(.write, "/state", errno: ENOSPC),
      ],
      to: &text
    )
    expectNoDifference(
      text,
      """
      [
        [0]: .wrote(
          "/state",
          bytes: 139,
          at: 4096
        ),
        [1]: .failed(
          .write,
          "/state",
          errno: 28
        )
      ]
      """
    )
  }

  @Test("An error says what the system says")
  func errorText() {
    expectNoDifference("\(JournalFileError(errno: ENOSPC))", "No space left on device")
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

  @Test("Journals on several paths and several file systems are apart")
  func journalsOnSeveralPathsAreApart() throws {
    let other = InMemoryFileSystem()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journals = [
      try open(bus),
      try open(bus, in: other),
      try LifecycleJournal(at: "/no/such/folder/state", of: bus, fileSystem: .inMemory(files)),
    ]
    expectNoDifference(journals.map(\.previousRun.exit), Array(repeating: .firstLaunch, count: 3))
    expectNoDifference(files.paths, ["/no/such/folder/state", "/state"])
    expectNoDifference(other.paths, ["/state"])
  }

  @Test("A file that is removed while a journal has it goes on without its name")
  func removedFileGoesOnWithoutItsName() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let first = try open(bus)
    files.setContents(nil, of: "/state")
    expectNoDifference(files.contents(of: "/state"), nil)
    let second = try open()
    let bytes = files.contents(of: "/state")
    bus.send(.didBecomeActive)
    expectNoDifference(files.contents(of: "/state") == bytes, true)
    expectNoDifference(failures.take(), [])
    withExtendedLifetime((first, second)) {}
  }

  @Test("A damaged byte is found, and the file is set aside under a free name")
  func damagedByteIsFound() throws {
    files.setContents([9], of: "/state.damaged")
    _ = try open()
    var bytes = try #require(files.contents(of: "/state"))
    bytes[30] ^= 1
    files.setContents(bytes, of: "/state")
    expectNoDifference(try open().previousRun.damage?.setAside, "/state.damaged-2")
    expectNoDifference(files.contents(of: "/state.damaged-2"), bytes)
    expectNoDifference(files.contents(of: "/state.damaged"), [9])
    #expect(files.operations.contains(.copied("/state", to: "/state.damaged-2")))
  }

  // MARK: Failures

  @Test("Each call of an opening can be refused", arguments: InMemoryFileSystem.Call.allCases)
  func refusedOpening(_ call: InMemoryFileSystem.Call) throws {
    files.setContents([1], of: "/state")
    files.failNext(call, errno: EROFS)
    let error =
      call == .copy
      ? LifecycleJournal.OpenError.cannotSetAside(
        path: "/state",
        offset: 0,
        problem: .noRecord,
        errno: EROFS
      )
      : .cannotOpen(path: "/state", errno: EROFS)
    #expect(throws: error) { try open() }
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

  @Test("A full disk has no room for a new file, nor for a copy; a journal that is there goes on")
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
    files.setContents([1, 2, 3], of: "/state")
    files.capacity = 5
    #expect(
      throws: LifecycleJournal.OpenError.cannotSetAside(
        path: "/state",
        offset: 0,
        problem: .noRecord,
        errno: ENOSPC
      )
    ) { try open() }
    expectNoDifference(files.contents(of: "/state"), [1, 2, 3])
    expectNoDifference(files.capacity, 5)
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
      files.operations,
      [
        .created("/f", bytes: 4),
        .wrote("/f", bytes: 8, at: 2),
        .failed(.write, "/f", errno: ENOSPC),
        .failed(.setSize, "/f", errno: ENOSPC),
        .failed(.write, "/f", errno: ENOSPC),
        .resized("/f", to: 2),
        .wrote("/f", bytes: 1, at: 4),
        .read("/f", bytes: 4, at: 1),
        .read("/f", bytes: 0, at: 9),
        .resized("/f", to: 7),
      ]
    )
  }

  @Test("An empty file on a full disk stays one")
  func emptyFileOnAFullDisk() throws {
    files.setContents([], of: "/state")
    files.capacity = 100
    #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: ENOSPC)) {
      try open()
    }
    expectNoDifference(files.contents(of: "/state"), [])
  }

  @Test("A file of zeros that can't be written keeps its size")
  func zerosThatCannotBeWritten() throws {
    _ = try open()
    let zeros = [UInt8](repeating: 0, count: files.contents(of: "/state")!.count)
    files.setContents(zeros, of: "/state")
    files.failNext(.write, errno: EIO)
    #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: EIO)) {
      try open()
    }
    expectNoDifference(files.contents(of: "/state"), zeros)
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
}

@Suite("Unimplemented file system")
struct UnimplementedFileSystemTests {
  @Test("A journal that is opened on it fails the test where it was made, and throws")
  func openingAJournalFailsTheTest() throws {
    let failures = failuresOfDouble {
      let files = JournalFileSystem.unimplemented()
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: ENOSYS)) {
        try LifecycleJournal(at: "/state", of: bus, fileSystem: files)
      }
    }
    expectNoDifference(
      failures,
      [
        """
        +1: An unimplemented file system was used: a journal was opened at /state. If the test \
        expects this, pass .inMemory(files) or .system instead.
        """
      ]
    )
  }

  @Test("One that is not used says nothing")
  func unusedFileSystemIsSilent() {
    expectNoDifference(failuresOfDouble { _ = JournalFileSystem.unimplemented() }, [])
  }

  @Test("A use on another thread is reported when the double is released, or used again")
  func otherThread() {
    var files: JournalFileSystem? = .unimplemented()
    onOtherThread { [files] in _ = try? files?.storage.open("/state", orMakeWith: []) }
    let failures = failuresOfDouble { files = nil }
    expectNoDifference(
      failures,
      [
        """
        +-2: An unimplemented file system was used: a journal was opened at /state. If the test \
        expects this, pass .inMemory(files) or .system instead.
        """
      ]
    )
  }
}
