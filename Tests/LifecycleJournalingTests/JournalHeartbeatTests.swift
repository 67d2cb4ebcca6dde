import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

@Suite("Journal: heartbeat")
struct JournalHeartbeatTests {
  private let stage = JournalStage()
  private let clock = ManualClock()

  /// A bus whose journal does not wait for the end of the launch.
  private func foregroundBus() -> NonisolatedLifecycleBus {
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    return bus
  }

  /// The time away after a run of ten and a half seconds, and another second.
  private func away(heartbeat: Duration?) throws -> Duration? {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: heartbeat)
      bus.send(.didBecomeActive)
      clock.advance(by: .milliseconds(10_500))
      withExtendedLifetime(journal) {}
    }
    clock.advance(by: .seconds(1))
    return try stage.run(clock).timeAway
  }

  @Test(
    "The time away is counted from the last transition, or, with a heartbeat, from its last beat"
  )
  func timeAway() throws {
    expectNoDifference(try away(heartbeat: nil), .milliseconds(11_500))
    expectNoDifference(try away(heartbeat: .seconds(2)), .milliseconds(1_500))
    expectNoDifference(clock.timerCount, 0)
  }

  /// How often the file changes while the clock is moved in steps.
  private func writes(_ step: Duration, _ count: Int) -> Int {
    (0..<count).count { _ in
      let before = stage.bytes
      clock.advance(by: step)
      return stage.bytes != before
    }
  }

  @Test("After a stop, one heartbeat comes at once, and the next one after the interval")
  func noBurst() throws {
    let bus = foregroundBus()
    let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .seconds(5))
    let before = generation
    clock.stopProcess(for: .seconds(3_600))
    expectNoDifference(generation - before, 1)
    clock.sleepDevice(for: .seconds(3_600))
    expectNoDifference(generation - before, 2)
    expectNoDifference(writes(.seconds(1), 10), 2)
    withExtendedLifetime(journal) {}
  }

  private var generation: UInt64 { JournalContents(of: stage).generation }

  @Test(
    "The heartbeat stops with end(), with willTerminate, and with the release of the journal",
    arguments: ["end", "terminate", "release"]
  )
  func heartbeatEndsWithTheRun(how: String) throws {
    let bus = foregroundBus()
    var journal: LifecycleJournal? = try LifecycleJournal(
      at: stage.path,
      of: bus,
      heartbeat: .seconds(1)
    )
    expectNoDifference(clock.timerCount, 1)
    switch how {
    case "end": journal?.end()
    case "terminate": bus.send(.willTerminate)
    default: journal = nil
    }
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(writes(.seconds(1), 5), 0)
    withExtendedLifetime(journal) {}
  }

  @Test(
    "A heartbeat writes once at each interval, in the background and after the end of the bus, too"
  )
  func goesOn() throws {
    var bus: NonisolatedLifecycleBus? = foregroundBus()
    let journal = try LifecycleJournal(at: stage.path, of: bus!, heartbeat: .seconds(5))
    expectNoDifference(writes(.seconds(1), 20), 4)
    bus?.send(.didEnterBackground)
    expectNoDifference(writes(.seconds(1), 20), 4)
    bus = nil
    expectNoDifference(writes(.seconds(1), 20), 4)
    expectNoDifference(clock.timerCount, 1)
    withExtendedLifetime(journal) {}
  }

  @Test("A heartbeat interval that is not positive is reported, and there is no heartbeat")
  func noInterval() throws {
    let bus = foregroundBus()
    try expectReportedIssue("A journal can't have a heartbeat every 0.0 s", line: #line + 1) {
      let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .zero)
      expectNoDifference(clock.timerCount, 0)
      withExtendedLifetime(journal) {}
    }
  }
}
