import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleJournaling

/// The content of a file that is locked again.
@Suite("Journal: a file that is locked again")
struct JournalRelockTests {
  private static let own = JournalRecord.sample(7)

  private static var forked: JournalRecord {
    var record = own
    record.processID = 8
    return record
  }

  private static var relaunched: JournalRecord {
    var record = own
    record.run += 1
    return record
  }

  @Test(
    "It belongs to another process only if that has recorded another run since",
    arguments: [
      (.nothing, nil),
      (.record(own, generation: 6), nil),
      (.record(forked, generation: 6), 8),
      (.record(relaunched, generation: 6), 7),
      (.record(forked, generation: 5), nil),
      (.damaged(offset: 0, .noRecord, readable: nil, generation: 0), nil),
      (.damaged(offset: 0, .noRecord, readable: forked, generation: 6), 8),
      (.damaged(offset: 0, .noRecord, readable: own, generation: 6), nil),
    ] as [(JournalContents, Int32?)]
  )
  func owner(_ contents: JournalContents, _ owner: Int32?) {
    let machine = JournalMachine(Self.own, generation: 5)
    expectNoDifference(machine.newOwner(in: contents), owner)
  }

  @Test("A file that can't be read then is unlocked, and locked again by the next record")
  func unreadable() throws {
    let (files, failures) = (LockingFileSystem(), Collector<LifecycleJournal.WriteError>())
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let fileSystem = JournalFileSystem(files)
    let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: fileSystem) {
      failures($0)
    }
    bus.send(.didEnterBackground)
    files.base.failNext(.read, errno: EIO)
    bus.send(.willEnterForeground)
    expectNoDifference(failures.values, [.cannotWrite(path: "/state", errno: EIO)])
    #expect(!files.isLocked)
    bus.send(.didBecomeActive)
    expectNoDifference(failures.values.count, 1)
    #expect(files.isLocked)
    withExtendedLifetime(journal) {}
  }
}
