import CustomDump
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Journal: heartbeat")
struct JournalHeartbeatTests {
  private let stage = JournalStage()
  private let clock = ManualClock()

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

  @Test("Without one the last transition is the last sign of life")
  func withoutHeartbeat() throws {
    expectNoDifference(try away(heartbeat: nil), .milliseconds(11_500))
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("With one the time away is right to the interval")
  func timeAwayIsRightToInterval() throws {
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

  @Test("Each beat writes once, at its time")
  func eachBeatWritesOnce() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .seconds(5))
    expectNoDifference(writes(.seconds(1), 20), 4)
    expectNoDifference(clock.timerCount, 1)
    withExtendedLifetime(journal) {}
  }

  @Test("After a stop one beat comes at once, and no more until the interval is over")
  func noBurst() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .seconds(5))
    let before = generation
    clock.stopProcess(for: .seconds(3_600))
    expectNoDifference(generation - before, 1)
    clock.sleepDevice(for: .seconds(3_600))
    expectNoDifference(generation - before, 2)
    expectNoDifference(writes(.seconds(1), 10), 2)
    withExtendedLifetime(journal) {}
  }

  private var generation: UInt64 { JournalStage.contents(of: stage).generation }

  @Test(
    "It ends with the run, with the process, and with the journal",
    arguments: ["end", "terminate", "release"]
  )
  func heartbeatEndsWithTheRun(how: String) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
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

  @Test("It goes on in the background, and when the bus is gone")
  func goesOn() throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus!, heartbeat: .seconds(1))
    bus?.send(.didEnterBackground)
    expectNoDifference(writes(.seconds(1), 3), 3)
    bus = nil
    expectNoDifference(writes(.seconds(1), 3), 3)
    withExtendedLifetime(journal) {}
  }

  @Test("There is none on a bus that has ended")
  func endedBus() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.willTerminate)
    let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .seconds(1))
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime(journal) {}
  }

  @Test(
    "An interval that is not more than zero is reported, and there is none",
    arguments: [0, -1]
  )
  func noInterval(_ seconds: Int) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    try expectReportedIssue(
      "A journal can't have a heartbeat every \(Duration.seconds(seconds))",
      line: #line + 2
    ) {
      let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: .seconds(seconds))
      expectNoDifference(clock.timerCount, 0)
      withExtendedLifetime(journal) {}
    }
  }

  @Test("The longest interval that there is does no harm")
  func longestInterval() throws {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0) * 2
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus, heartbeat: longest)
    expectNoDifference(writes(.seconds(1_000_000), 3), 0)
    withExtendedLifetime(journal) {}
  }
}
