import CustomDump
import LifecycleCore
import LifecycleTesting
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
    "A kill is reported by the last phase that was recorded",
    arguments: [
      ([], .killedDuringLaunch),
      ([.didFinishLaunching], .killedDuringLaunch),
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
    try stage.run(clock, version: nil, kinds)
    clock.advance(by: .seconds(7))
    expectNoDifference(try stage.run(clock), PreviousRun(exit: exit, timeAway: .seconds(7)))
  }

  @Test(
    "A launch is over after two seconds, if the foreground does not come first",
    arguments: [(1.9, .killedDuringLaunch), (2, .killedInBackground)]
      as [(Double, LifecycleJournal.PreviousExit)]
  )
  func launchInTheBackground(_ seconds: Double, _ exit: LifecycleJournal.PreviousExit) throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      bus.send(.didFinishLaunching)
      clock.advance(by: .seconds(seconds))
      expectNoDifference(clock.timerCount, exit == .killedDuringLaunch ? 1 : 0)
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(try stage.run(clock).exit, exit)
  }

  @Test("A launch is not over while the thread on which the bus delivers hangs")
  func hangingLaunch() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    let token = bus.addObserver(for: .didFinishLaunching) { [clock, stage] _ in
      clock.advance(by: .seconds(20))
      expectNoDifference(JournalContents(of: stage).entry?.isLaunching, true)
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(JournalContents(of: stage).entry?.isLaunching, false)
    withExtendedLifetime((journal, token)) {}
  }

  @Test("A launch is over after two seconds, also if the bus is released before")
  func launchOutlivesBus() throws {
    do {
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus!)
      bus = nil
      clock.advance(by: .seconds(2))
      withExtendedLifetime(journal) {}
    }
    expectNoDifference(try stage.run(clock).exit, .killedInBackground)
  }

  @Test(
    "A run of another version is reported as updated, unless it ended properly",
    arguments: [
      ("1 1", "1 2", [.didBecomeActive], .updated), ("1 1", "1 2", [], .updated),
      ("1 1", "1 2", [.didBecomeActive, .willTerminate], .endedProperly),
      ("1 1", "1 1", [.didBecomeActive], .killedInForeground),
      (nil, "1 2", [.didBecomeActive], .killedInForeground),
      ("1 1", nil, [.didBecomeActive], .killedInForeground),
      (String(repeating: "1", count: 125), "1", [.didBecomeActive], .killedInForeground),
    ] as [(String?, String?, [LifecycleEvent.Kind], LifecycleJournal.PreviousExit)],
    [false, true]
  )
  func otherVersion(
    _ run: (String?, String?, [LifecycleEvent.Kind], LifecycleJournal.PreviousExit),
    restarts: Bool
  ) throws {
    let (earlier, later, kinds, exit) = run
    try stage.run(clock, version: earlier, kinds)
    let next = restarts ? clock.afterRestart(wallLater: .seconds(9)) : clock
    let previous = try stage.run(next, version: later, [])
    let isRestart = restarts && exit == .killedInForeground
    expectNoDifference(previous.exit, isRestart ? .machineRestarted : exit)
    expectNoDifference(previous.isClockTrusted, !restarts)
  }

  @Test("A run that called end() has ended properly, wherever it was; what follows is not recorded")
  func endedRunEndedProperly() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try LifecycleJournal(at: stage.path, of: bus)
    bus.send(.didBecomeActive)
    journal.end()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
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
    "After a restart, the time away is that of the wall clock, and never negative",
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

  @Test("If the continuous clock went back on the same boot, the wall clock decides, and is marked")
  func clocksOfContainerSetBack() throws {
    clock.advance(by: .seconds(100))
    try stage.run(clock)
    var instant = clock.now
    instant.continuous -= .seconds(50)
    instant.timeSince1970 += .seconds(9)
    expectNoDifference(
      try stage.run(ManualClock(instant, bootID: clock.bootID)),
      PreviousRun(exit: .killedDuringLaunch, timeAway: .seconds(9), isClockTrusted: false)
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

  @Test("On the same boot, the time away includes sleep, and ignores the wall clock")
  func sameBoot() throws {
    try stage.run(clock)
    clock.sleepDevice(for: .seconds(4))
    clock.setWallClock(by: .seconds(-1_000_000))
    expectNoDifference(
      try stage.run(clock),
      PreviousRun(exit: .killedDuringLaunch, timeAway: .seconds(4))
    )
  }

  @Test(
    "A boot whose identity only one of the runs knows counts as another one",
    arguments: [1, 2]
  )
  func unknownBoot(_ unknown: Int) throws {
    let known = BootID(rawValue: "known")
    let instant = ManualClock().now
    try stage.run(ManualClock(instant, bootID: unknown == 1 ? known : nil))
    expectNoDifference(
      try stage.run(ManualClock(instant, bootID: unknown == 2 ? known : nil)).exit,
      .machineRestarted
    )
  }

  @Test("Without identities, it is the same boot while both clocks agree on the moment of the boot")
  func clocksInsteadOfIdentities() throws {
    func report(_ meanwhile: (ManualClock) -> Void) throws -> PreviousRun {
      let clock = ManualClock(bootID: nil)
      clock.advance(by: .seconds(1_000))
      try stage.run(clock, .didBecomeActive)
      meanwhile(clock)
      return try stage.run(clock)
    }
    func killed(_ seconds: Int) -> PreviousRun {
      PreviousRun(exit: .killedInForeground, timeAway: .seconds(seconds))
    }
    func restarted(_ seconds: Int) -> PreviousRun {
      PreviousRun(exit: .machineRestarted, timeAway: .seconds(seconds), isClockTrusted: false)
    }
    let month = 30 * 86_400
    expectNoDifference(try report { $0.sleepDevice(for: .seconds(60)) }, killed(60))
    // Corrected by the network, and after a month by 100 millionths.
    for shift in [-10, 10] {
      expectNoDifference(try report { $0.setWallClock(by: .seconds(shift)) }, killed(0))
    }
    expectNoDifference(
      try report {
        $0.sleepDevice(for: .seconds(month))
        $0.setWallClock(by: .seconds(269))
      },
      killed(month)
    )
    // Set by the user.
    expectNoDifference(try report { $0.setWallClock(by: .seconds(3_600)) }, restarted(3_600))
    expectNoDifference(try report { $0.setWallClock(by: .seconds(-11)) }, restarted(0))
    // Restarted, for a short time and for a long one.
    expectNoDifference(try report { $0.restartDevice(for: .seconds(60)) }, restarted(60))
    expectNoDifference(
      try report {
        $0.restartDevice(for: .seconds(60))
        $0.advance(by: .seconds(2_000))
      },
      restarted(2_060)
    )
  }

  @Test("An event with an instant in the future is recorded as a sign of life now")
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
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    expectNoDifference(clock.timerCount, 1)
    _ = journal
    journal = nil
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    expectNoDifference(clock.timerCount, 0)
    expectNoDifference(try stage.run(clock).exit, .killedInForeground)
  }

  @Test("A transition is in the file before later observers receive it")
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
