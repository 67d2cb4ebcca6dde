import CustomDump
import Foundation
import LifecycleCore
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// A file that can't be written to for a while.
@Suite("Journal: failing writes")
struct JournalFailureTests {
  private let stage = JournalStage()
  private let clock = ManualClock()
  private let failures = Collector<LifecycleJournal.WriteError>()

  private func open(
    _ bus: NonisolatedLifecycleBus,
    heartbeat: Duration? = nil
  ) throws -> LifecycleJournal {
    try LifecycleJournal(at: stage.path, of: bus, heartbeat: heartbeat) { [failures] in
      failures($0)
    }
  }

  private var cannotWrite: LifecycleJournal.WriteError {
    .cannotWrite(path: stage.path, errno: EBADF)
  }

  @Test(
    "A transition that could not be written is in the next entry, of a heartbeat or a value",
    arguments: ["heartbeat", "value"]
  )
  func unrecordedTransitionIsInNextRecord(_ next: String) throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try open(bus, heartbeat: .seconds(1))
      bus.send(.didBecomeActive)
      try stage.refusingWrites {
        bus.send(.didEnterBackground)
        clock.advance(by: .milliseconds(500))
      }
      expectNoDifference(failures.values, [cannotWrite])
      switch next {
      case "heartbeat": clock.advance(by: .milliseconds(500))
      default: try journal.set(1, forKey: "value")
      }
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInBackground)
  }

  @Test("A value that could not be written is not in the next entry")
  func failedValueIsNotInTheNextRecord() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try open(bus)
      try journal.set(1, forKey: "value")
      _ = try stage.refusingWrites {
        #expect(throws: cannotWrite) { try journal.set(2, forKey: "value") }
      }
      expectNoDifference(try journal.value(forKey: "value"), 1)
      bus.send(.didBecomeActive)
      withExtendedLifetime(journal) {}
    }
    let journal = try open(NonisolatedLifecycleBus(clock: clock))
    expectNoDifference(journal.previousRun.exit, .killedInForeground)
    expectNoDifference(try journal.value(forKey: "value"), 1)
    expectNoDifference(failures.values, [])
  }

  @Test("By default, a transition that was not recorded is reported as an issue")
  func reportedByDefault() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    try stage.refusingWrites {
      expectReportedIssue(cannotWrite.description) { bus.send(.didBecomeActive) }
    }
    withExtendedLifetime(journal) {}
  }

  @Test("onWriteFailure is called on the sending thread, without a lock")
  func passedOnWithoutALock() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journals = Collector<Weak<LifecycleJournal>>()
    let sender = Locked<ObjectIdentifier?>(nil)
    let trace = Trace()
    let journal = try LifecycleJournal(at: stage.path, of: bus) { _ in
      let isSender = sender.withLock { $0 } == currentThread()
      let value = onOtherThread {
        let journal = journals.values[0].object
        try? journal?.set(2, forKey: "value")
        return try? journal?.value(Int.self, forKey: "value")
      }
      trace("sender \(isSender), value \(value ?? 0)")
    }
    journals(Weak(journal))
    try journal.set(1, forKey: "value")
    try stage.refusingWrites {
      onOtherThread {
        let thread = currentThread()
        sender.withLock { $0 = thread }
        bus.send(.didBecomeActive)
      }
    }
    expectNoDifference(trace.lines, ["sender true, value 1"])
    withExtendedLifetime(journal) {}
  }
}
