import CustomDump
import Foundation
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

/// The lock of the file: held in the foreground, and, where the system suspends processes, not in the
/// background.
@Suite("Journal: the lock of the file")
struct JournalLockTests {
  typealias WriteError = LifecycleJournal.WriteError

  private let stage = JournalStage()
  private let clock = ManualClock()
  private let failures = Collector<WriteError>()

  private func open(
    _ bus: NonisolatedLifecycleBus,
    heartbeat: Duration? = nil
  ) throws -> LifecycleJournal {
    try LifecycleJournal(
      at: stage.path,
      of: bus,
      heartbeat: heartbeat,
      fileSystem: JournalFileSystem(SystemJournalFileSystem(yieldsLock: true))
    ) { [failures] in failures($0) }
  }

  /// Whether somebody else could lock the file now.
  private var isFree: Bool {
    let descriptor = Foundation.open(stage.path, O_RDWR)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// What another process does that opens the file, and comes to the foreground: done to a copy, whose
  /// bytes are then written over the file.
  private func anotherRun() throws {
    let other = JournalStage()
    other.bytes = stage.bytes
    try other.run(clock, .didBecomeActive)
    let file = try #require(FileHandle(forWritingAtPath: stage.path))
    try file.write(contentsOf: other.bytes)
    try file.close()
  }

  @Test("No lock is held once didEnterBackground was delivered; the foreground takes it again")
  func noLockIsHeldInBackground() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    var free: [Bool] = []
    for kind in [
      LifecycleEvent.Kind.didBecomeActive, .willResignActive, .didEnterBackground,
      .willEnterForeground, .didEnterBackground,
    ] {
      bus.send(kind)
      free.append(isFree)
    }
    expectNoDifference(free, [false, false, true, false, true])
    expectNoDifference(failures.values, [])
    withExtendedLifetime(journal) {}
  }

  @Test(
    "A journal that is opened, or that writes, in the background leaves no lock",
    arguments: ["heartbeat", "value", "end"]
  )
  func writtenInTheBackground(_ what: String) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didEnterBackground)
    let journal = try open(bus, heartbeat: .seconds(1))
    #expect(isFree)
    let before = stage.bytes
    switch what {
    case "heartbeat": clock.advance(by: .seconds(1))
    case "value": try journal.set(1, forKey: "value")
    default: journal.end()
    }
    #expect(stage.bytes != before)
    #expect(isFree)
    expectNoDifference(failures.values, [])
  }

  @Test("In the background, the file is unlocked before it is synchronized, and if a write fails")
  func unlockedFirst() throws {
    let files = NotingFileSystem()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: JournalFileSystem(files))
    { [failures] in failures($0) }
    func calls(_ kind: LifecycleEvent.Kind) -> [String] {
      _ = files.take()
      bus.send(kind)
      return files.take().map(\.name)
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(calls(.willEnterForeground), ["locked", "wrote", "synchronized"])
    expectNoDifference(calls(.didEnterBackground), ["wrote", "unlocked", "synchronized"])
    bus.send(.willEnterForeground)
    files.base.failNext(.write, errno: EIO)
    expectNoDifference(calls(.didEnterBackground), ["wrote", "unlocked"])
    expectNoDifference(failures.values, [.cannotWrite(path: "/state", errno: EIO)])
    files.base.failNext(.read, errno: EIO)
    // It can't be seen whether the file is another process's now.
    expectNoDifference(calls(.willEnterForeground), ["locked", "unlocked"])
    expectNoDifference(calls(.didBecomeActive), ["locked", "wrote", "synchronized"])
    withExtendedLifetime(journal) {}
  }

  @Test("A file that another process has opened meanwhile is left to it, which is reported once")
  func takenOver() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus, heartbeat: .seconds(1))
    bus.send(.didEnterBackground)
    try anotherRun()
    let bytes = stage.bytes
    bus.send(.willEnterForeground)
    let error = WriteError.inUse(path: stage.path, processID: getpid())
    expectNoDifference(failures.values, [error])
    expectNoDifference(
      "\(error)",
      """
      The journal \(stage.path) is in use by process \(getpid()), which opened it while this \
      process was not in the foreground, so nothing was recorded. Use a separate file for each \
      process.
      """
    )
    #expect(throws: error) { try journal.set(1, forKey: "value") }
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(2))
    journal.end()
    expectNoDifference(failures.values, [error])
    expectNoDifference(stage.bytes, bytes)
    #expect(isFree)
  }

  @Test("While another process has the lock, nothing is recorded, and the next entry is complete")
  func lockedByAnother() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try open(bus)
      bus.send(.didEnterBackground)
      let descriptor = Foundation.open(stage.path, O_RDWR)
      expectNoDifference(flock(descriptor, LOCK_EX | LOCK_NB), 0)
      let bytes = stage.bytes
      bus.send(.didBecomeActive)
      expectNoDifference(failures.values, [.inUse(path: stage.path, processID: nil)])
      expectNoDifference(stage.bytes, bytes)
      close(descriptor)
      bus.send(.willResignActive)
      #expect(!isFree)
      expectNoDifference(failures.values.count, 1)
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
  }

  @Test("A second journal of the process is refused while the first one is in the background, too")
  func secondInTheBackground() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var first: LifecycleJournal? = try open(bus)
    bus.send(.didEnterBackground)
    let error = LifecycleJournal.OpenError.inUse(path: stage.path, processID: getpid())
    #expect(throws: error) { try open(bus) }
    bus.send(.didBecomeActive)
    #expect(throws: error) { try open(bus) }
    expectNoDifference(failures.values, [])
    withExtendedLifetime(first) {}
    first = nil
    expectNoDifference(try open(bus).previousRun.exit, .killedInForeground)
  }

  @Test("A bus that is released in the foreground leaves no lock, nor does a value after that")
  func busReleased() throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(try #require(bus))
    bus?.send(.didBecomeActive)
    #expect(!isFree)
    bus = nil
    #expect(isFree)
    try journal.set(1, forKey: "value")
    #expect(isFree)
  }

  #if os(Linux) || os(macOS)
    @Test("Where the system suspends no process, the file stays locked for as long as it is open")
    func neverSuspended() throws {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      var free = [isFree]
      for kind in [
        LifecycleEvent.Kind.didBecomeActive, .didEnterBackground, .systemDidWake, .willTerminate,
      ] {
        bus.send(kind)
        free.append(isFree)
      }
      expectNoDifference(free, [false, false, false, false, false])
      journal.end()
      #expect(isFree)
    }
  #endif

  private static let own = JournalEntry.sample(7)

  private static var forked: JournalEntry {
    var entry = own
    entry.processID = 8
    return entry
  }

  private static var relaunched: JournalEntry {
    var entry = own
    entry.run += 1
    return entry
  }

  @Test(
    "A file belongs to another process only if that has recorded another run since",
    arguments: [
      (.nothing, nil),
      (.entry(own, generation: 6), nil),
      (.entry(forked, generation: 6), 8),
      (.entry(relaunched, generation: 6), 7),
      (.entry(forked, generation: 5), nil),
      (.damaged(offset: 0, .noEntry, readable: nil, generation: 0), nil),
      (.damaged(offset: 0, .noEntry, readable: forked, generation: 6), 8),
      (.damaged(offset: 0, .noEntry, readable: own, generation: 6), nil),
    ] as [(JournalContents, Int32?)]
  )
  func owner(_ contents: JournalContents, _ owner: Int32?) {
    let machine = JournalMachine(Self.own, generation: 5)
    expectNoDifference(machine.newOwner(in: contents), owner)
  }
}
