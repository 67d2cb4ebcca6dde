import CustomDump
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a journal says about the run before.
@Suite("Journal: how the last run ended")
struct JournalReportTests {
  typealias PreviousRun = LifecycleJournal.PreviousRun

  private let stage = JournalStage()
  private let clock = ManualClock()

  @Test("Nothing recorded: the first launch")
  func firstLaunch() throws {
    expectNoDifference(try stage.run(clock), PreviousRun(exit: .firstLaunch))
    expectNoDifference(stage.names, ["state"])
    expectNoDifference(stage.bytes.count, 8192)
  }

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

  @Test("The machine has restarted: the wall clock tells how long ago that was")
  func machineRestarted() throws {
    try stage.run(clock, .didBecomeActive)
    let later = clock.afterRestart(wallLater: .seconds(90))
    expectNoDifference(
      try stage.run(later),
      PreviousRun(exit: .machineRestarted, timeAway: .seconds(90))
    )
  }

  @Test("A wall clock that was set back meanwhile gives no negative time")
  func wallClockSetBack() throws {
    try stage.run(clock, .didEnterBackground)
    let later = clock.afterRestart(wallLater: .seconds(-90))
    expectNoDifference(try stage.run(later), PreviousRun(exit: .machineRestarted, timeAway: .zero))
  }

  @Test("A wall clock that was set back before the last sign of life plays no part")
  func wallClockSetBackInTheRun() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      bus.send(.didBecomeActive)
      clock.setWallClock(by: .seconds(-1_000_000))
      clock.advance(by: .seconds(5))
      try journal.set(1, forKey: "value")
    }
    let later = clock.afterRestart(wallLater: .seconds(90))
    expectNoDifference(
      try stage.run(later),
      PreviousRun(exit: .machineRestarted, timeAway: .seconds(90))
    )
  }

  @Test("On the same boot the wall clock plays no part")
  func wallClockOnTheSameBoot() throws {
    try stage.run(clock)
    clock.advance(by: .seconds(4))
    clock.setWallClock(by: .seconds(-1_000_000))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedInBackground, timeAway: .seconds(4))
    )
  }

  @Test("Sleep of the device counts")
  func sleepOfDeviceCounts() throws {
    try stage.run(clock, .didEnterBackground)
    clock.sleepDevice(for: .seconds(3600))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedInBackground, timeAway: .seconds(3600))
    )
  }

  @Test("A proper end counts on another boot, too")
  func endedProperlyBeforeARestart() throws {
    try stage.run(clock, .willTerminate)
    let later = clock.afterRestart(wallLater: .seconds(10))
    expectNoDifference(
      try stage.run(later),
      PreviousRun(exit: .endedProperly, timeAway: .seconds(10))
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

  @Test("An identity of a boot that is too long to be kept is not known")
  func longBoot() throws {
    let long = ManualClock(bootID: BootID(rawValue: String(repeating: "b", count: 256)))
    try stage.run(long)
    expectNoDifference(try stage.run(long).exit, .machineRestarted)
    let longest = ManualClock(bootID: BootID(rawValue: String(repeating: "b", count: 255)))
    try stage.run(longest)
    expectNoDifference(try stage.run(longest).exit, .killedInBackground)
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

  @Test("A clock that shows more than any clock does no harm")
  func absurdClock() throws {
    let far = Duration(secondsComponent: .max, attosecondsComponent: 0) * 2
    let instant = LifecycleInstant([far, far, .zero - far])
    let absurd = ManualClock(instant)
    try stage.run(absurd)
    expectNoDifference(try stage.run(absurd).exit, .killedInBackground)
  }

  // MARK: Runs in turn

  @Test("Three runs in turn, each told of the one before")
  func threeRuns() throws {
    expectNoDifference(try stage.run(clock, .didBecomeActive).exit, .firstLaunch)
    clock.advance(by: .seconds(1))
    expectNoDifference(
      try stage.run(clock, .willTerminate),
      PreviousRun(exit: .killedInForeground, timeAway: .seconds(1))
    )
    clock.advance(by: .seconds(2))
    expectNoDifference(
      try stage.run(clock, .didEnterBackground),
      PreviousRun(exit: .endedProperly, timeAway: .seconds(2))
    )
    clock.advance(by: .seconds(3))
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    expectNoDifference(
      journal.previousRun,
      PreviousRun(exit: .killedInBackground, timeAway: .seconds(3))
    )
    expectNoDifference(journal.runNumber, 4)
  }

  @Test("A journal joins at the phase that the bus has")
  func joinsAtThePhaseOfTheBus() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      bus.send(.didBecomeActive)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
  }

  @Test("A journal that is opened inside a delivery is told of what follows")
  func joinsInsideADelivery() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = Locked<LifecycleJournal?>(nil)
      let token = bus.addObserver(for: [.willEnterForeground]) {
        [path = stage.path, unowned bus] _ in
        let opened = try? LifecycleJournal(at: path, of: bus)
        journal.withLock { $0 = opened }
      }
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
      withExtendedLifetime(token) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInBackground)
  }

  @Test("A bus that has terminated already: the run has ended")
  func endedBus() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.willTerminate)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    journal.end()
    expectNoDifference(try stage.run(clock).exit, .endedProperly)
  }

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

  @Test("The bus names the place where the journal was opened")
  func busNamesPlaceWhereJournalWasOpened() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let line = UInt(#line + 1)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    let location = bus.liveSubscriptions.first?.location
    expectNoDifference(location?.line, line)
    expectNoDifference(location?.fileID, #fileID)
    withExtendedLifetime(journal) {}
  }

  @Test("A transition is in the file when its observers are told, on the main actor too")
  @MainActor func durableInTheDelivery() throws {
    let bus = LifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    let trace = Trace()
    let token = bus.addObserver { [stage] event in
      guard let phase = JournalStage.contents(of: stage).phase else { return }
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
