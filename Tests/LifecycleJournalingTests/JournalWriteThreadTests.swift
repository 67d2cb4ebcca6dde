import CustomDump
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The threads that write, and that ask for values.
@Suite("Journal: where it writes")
@MainActor
struct JournalWriteThreadTests {
  private let clock = ManualClock()
  private let files = ThreadNotingFileSystem()

  private func open(_ bus: some LifecycleBusProtocol) throws -> LifecycleJournal {
    try LifecycleJournal(
      at: "/state",
      of: bus,
      heartbeat: .seconds(1),
      fileSystem: JournalFileSystem(files)
    )
  }

  @Test("The initializer writes on the calling thread, before it returns")
  func initializer() throws {
    let (files, clock) = (files, clock)
    let result = onOtherThread {
      files.expectThisThread()
      return Result {
        let bus = NonisolatedLifecycleBus(clock: clock)
        _ = try LifecycleJournal(at: "/state", of: bus, fileSystem: JournalFileSystem(files))
        return files.trace.take()
      }
    }
    expectNoDifference(try result.get(), ["created on the expected thread"])
    expectNoDifference(files.base.contents(of: "/state")?.count, 8192)
  }

  @Test("On the main actor's bus, transitions are written on the main actor")
  func transitionOnTheMainActor() async throws {
    let bus = LifecycleBus(clock: clock)
    let journal = try open(bus)
    files.expectMainActor()
    _ = files.trace.take()
    onOtherThread { _ = bus.send(.didFinishLaunching) }
    expectNoDifference(files.trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(files.trace.take(), ["wrote on the expected thread"])
    withExtendedLifetime(journal) {}
  }

  @Test("On a nonisolated bus, transitions are written on the thread that sends")
  func transitionOnTheSender() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    _ = files.trace.take()
    onOtherThread { [files] in
      files.expectThisThread()
      bus.send(.didFinishLaunching)
    }
    expectNoDifference(files.trace.take(), ["wrote on the expected thread"])
    withExtendedLifetime(journal) {}
  }

  @Test("A heartbeat is written on the thread that the clock calls", arguments: BusKind.allCases)
  func heartbeat(_ kind: BusKind) throws {
    let journal = try open(EitherBus(kind.make(clock: clock)))
    _ = files.trace.take()
    onOtherThread { [files, clock] in
      files.expectThisThread()
      clock.advance(by: .seconds(1))
    }
    expectNoDifference(files.trace.take(), ["wrote on the expected thread"])
    withExtendedLifetime(journal) {}
  }

  @Test("The closure of a saved value runs on the thread that sends, or on the main actor")
  func savedValue() async throws {
    let scope = LifecycleScope()
    let trace = Trace()
    let files = files
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    journal.saveValue(forKey: "a", of: bus, in: scope) {
      trace("a expected \(files.isExpectedThread)")
      return 1
    }
    onOtherThread {
      files.expectThisThread()
      bus.send(.didEnterBackground)
    }
    expectNoDifference(trace.take(), ["a expected true"])
    journal.end()

    let mainBus = LifecycleBus(clock: clock)
    let mainJournal = try LifecycleJournal(
      at: "/main",
      of: mainBus,
      fileSystem: JournalFileSystem(files)
    )
    mainJournal.saveValue(forKey: "b", of: mainBus, in: scope) {
      trace("b on main \(MainQueue.isCurrent)")
      return 1
    }
    onOtherThread { _ = mainBus.send(.didEnterBackground) }
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["b on main true"])
    withExtendedLifetime((scope, mainJournal)) {}
  }
}

/// A file system in memory that notes whether it is called on the thread that a test expects.
private final class ThreadNotingFileSystem: JournalStorage {
  let base = InMemoryFileSystem()
  let trace = Trace()
  private let expectation = Locked<@Sendable () -> Bool>({ false })

  func expectThisThread() {
    let thread = currentThread()
    expectation.withLock { $0 = { currentThread() == thread } }
  }

  func expectMainActor() {
    expectation.withLock { $0 = { MainQueue.isCurrent } }
  }

  var isExpectedThread: Bool { expectation.withLock { $0 }() }

  func note(_ operation: String) {
    trace("\(operation) on \(isExpectedThread ? "the expected" : "another") thread")
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    let file = try base.make(path, with: bytes)
    note("created")
    return .made(ThreadNotingFile(file, self))
  }
}

private final class ThreadNotingFile: WrappedJournalFile {
  let base: any JournalFile
  private let fileSystem: ThreadNotingFileSystem

  init(_ base: any JournalFile, _ fileSystem: ThreadNotingFileSystem) {
    self.base = base
    self.fileSystem = fileSystem
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    fileSystem.note("wrote")
    try base.write(bytes, at: offset)
  }
}
