import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleJournaling

/// What a journal says about the run before.
@Suite("Journal: how the last run ended")
struct JournalReportTests {
  typealias PreviousRun = LifecycleJournal.PreviousRun

  private let stage = JournalStage()
  private let clock = ManualClock()

  @Test(
    "The last phase decides what a kill was",
    arguments: [
      ([], .killedInBackground),
      ([.didFinishLaunching], .killedInBackground),
      ([.willEnterForeground], .killedInForeground),
      ([.didBecomeActive], .killedInForeground),
      ([.didBecomeActive, .willResignActive], .killedInForeground),
      ([.didBecomeActive, .didEnterBackground], .killedInBackground),
      ([.didEnterBackground, .didBecomeActive], .killedInForeground),
      ([.didBecomeActive, .willTerminate], .endedProperly),
      ([.willTerminate], .endedProperly),
    ] as [([LifecycleEvent.Kind], LifecycleJournal.PreviousExit)]
  )
  func lastPhase(_ kinds: [LifecycleEvent.Kind], _ exit: LifecycleJournal.PreviousExit) throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      for kind in kinds { bus.send(kind) }
      withExtendedLifetime(journal) {}
    }
    clock.advance(by: .seconds(7))
    expectNoDifference(try stage.run(clock), PreviousRun(exit: exit, timeAway: .seconds(7)))
  }

  @Test("A run that called end() has ended properly, wherever it was; what follows is not recorded")
  func endedRunEndedProperly() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    bus.send(.didBecomeActive)
    journal.end()
    #expect(bus.liveSubscriptions.isEmpty)
    let bytes = stage.bytes
    clock.advance(by: .seconds(3))
    bus.send(.didEnterBackground)
    journal.end()
    expectNoDifference(stage.bytes, bytes)
    // The file is free, though the journal is still there.
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .endedProperly, timeAway: .seconds(3))
    )
    withExtendedLifetime(journal) {}
  }

  @Test(
    "The machine has restarted: the wall clock tells how long ago, though no negative time",
    arguments: [90, -90]
  )
  func machineRestarted(_ seconds: Int) throws {
    try stage.run(clock, .didBecomeActive)
    let later = clock.afterRestart(wallLater: .seconds(seconds))
    expectNoDifference(
      try stage.run(later),
      PreviousRun(
        exit: .machineRestarted,
        timeAway: .seconds(max(seconds, 0)),
        isClockTrusted: false
      )
    )
  }

  @Test("Ended properly, then a restart and a clock that was set back: the time is marked")
  func clockSetBackAfterRestart() throws {
    try stage.run(clock, .didBecomeActive, .willTerminate)
    let later = clock.afterRestart(wallLater: .seconds(-90))
    expectNoDifference(
      try stage.run(later),
      PreviousRun(exit: .endedProperly, timeAway: .zero, isClockTrusted: false)
    )
  }

  @Test("In a container whose clocks were set back, the wall clock tells, and the time is marked")
  func clocksOfContainerSetBack() throws {
    clock.advance(by: .seconds(100))
    try stage.run(clock)
    var instant = clock.now
    instant.continuous -= .seconds(50)
    instant.timeSince1970 += .seconds(9)
    expectNoDifference(
      try stage.run(ManualClock(instant, bootID: clock.bootID)),
      PreviousRun(exit: .killedInBackground, timeAway: .seconds(9), isClockTrusted: false)
    )
  }

  @Test("A wall clock that was set at the very instant of the last entry is recorded")
  func wallClockSetAtSameInstant() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      clock.setWallClock(by: .seconds(1_000))
      bus.send(.didBecomeActive)
      withExtendedLifetime(journal) {}
    }
    let later = clock.afterRestart(wallLater: .seconds(5))
    expectNoDifference(try stage.run(later).timeAway, .seconds(5))
  }

  @Test("On the same boot the wall clock plays no part, and sleep of the device counts")
  func sameBoot() throws {
    try stage.run(clock)
    clock.sleepDevice(for: .seconds(4))
    clock.setWallClock(by: .seconds(-1_000_000))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedInBackground, timeAway: .seconds(4))
    )
  }

  @Test("A boot that is not known is taken for another one", arguments: [0, 1, 2])
  func unknownBoot(_ unknown: Int) throws {
    let known = BootID(rawValue: "known")
    let instant = ManualClock().now
    try stage.run(ManualClock(instant, bootID: unknown == 1 ? known : nil))
    expectNoDifference(
      try stage.run(ManualClock(instant, bootID: unknown == 2 ? known : nil)).exit,
      .machineRestarted
    )
  }

  @Test("An event that is said to come from the future is a sign of life now")
  func futureEvent() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      var future = clock.now
      future.continuous += .seconds(1_000)
      bus.send(.didBecomeActive, at: future)
      withExtendedLifetime(journal) {}
    }
    clock.advance(by: .seconds(1))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedInForeground, timeAway: .seconds(1))
    )
  }

  // MARK: Runs in turn

  @Test("The release of the bus is no proper end")
  func releasedBus() throws {
    do {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus!)
      bus!.send(.didBecomeActive)
      weak let released = bus
      bus = nil
      #expect(released == nil)
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
  }

  @Test("A released journal leaves the bus and gives the file back")
  func releasedJournal() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    var journal: LifecycleJournal? = try LifecycleJournal(
      at: stage.path,
      of: bus,
      heartbeat: .seconds(1)
    )
    bus.send(.didBecomeActive)
    expectNoDifference(bus.liveSubscriptions.count, 1)
    expectNoDifference(clock.timerCount, 1)
    _ = journal
    journal = nil
    #expect(bus.liveSubscriptions.isEmpty)
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
  }

  @Test("A transition is in the file when its observers are told, on the main actor too")
  @MainActor func durableInTheDelivery() throws {
    let bus = LifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    let trace = Trace()
    let token = bus.addObserver { [stage] event in
      guard let phase = JournalContents(of: stage).phase else { return }
      trace("\(event.phase) \(phase)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["background background", "inactive inactive", "active active"]
    )
    withExtendedLifetime((journal, token)) {}
  }

  @Test("Notices are not recorded")
  func noticesAreNotRecorded() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    let bytes = stage.bytes
    bus.send(.didReceiveMemoryWarning)
    expectNoDifference(stage.bytes, bytes)
    withExtendedLifetime(journal) {}
  }
}
