import CustomDump
import Foundation
import LifecycleCore
import LifecycleJournaling
import LifecycleTesting
import TestSupport
import Testing

@Suite("Scripted lifecycle: killed")
@MainActor
struct ScriptedKillTests {
  @Test("A process that is killed in the middle of a step receives none of its other events")
  func duringStep() {
    let lifecycle = ScriptedLifecycle()
    let script = UncheckedBox(lifecycle)
    let timer = lifecycle.clock.schedule(at: lifecycle.clock.continuous + .seconds(5)) {
      script.value!.perform(.kill, .relaunch)
    }
    lifecycle.perform(.launch, .becomeActive)
    expectReportedIssue(
      """
      The process was killed during the step background(for: 10 s). Kill it between two steps \
      instead. The script ends here.
      """,
      line: #line + 2
    ) {
      lifecycle.perform(.background(for: .seconds(10)), .becomeActive)
    }
    withExtendedLifetime(timer) {}
    expectNoDifference(
      lifecycle.transcript.description,
      """
      launch
        [0 s background] didFinishLaunching
      becomeActive
        [0 s inactive] willEnterForeground
        [0 s active] didBecomeActive
      background(for: 10 s)
        [0 s inactive] willResignActive
        [0 s background] didEnterBackground
      kill
      relaunch
        [5 s background] didFinishLaunching
      """
    )
  }

  @Test("A kill inside an observer of the bus is reported")
  func insideObserver() {
    let lifecycle = ScriptedLifecycle()
    let token = lifecycle.bus.addObserver { _ in lifecycle.perform(.kill, .relaunch) }
    expectReportedIssue(
      "The script killed the process inside an observer of its bus",
      line: #line - 3
    ) {
      lifecycle.perform(.launch)
    }
    withExtendedLifetime(token) {}
    lifecycle.perform(.relaunch, .becomeActive)
    expectNoDifference(lifecycle.bus.phase, .active)
  }

  @Test("What the timers of a killed process hold is released at the end of the test")
  func releasesNothing() {
    weak var held: Canary?
    do {
      let lifecycle = ScriptedLifecycle()
      var timer: LifecycleCancellable?
      do {
        let probe = Canary()
        held = probe
        let deadline = lifecycle.clock.continuous + .seconds(5)
        timer = lifecycle.clock.schedule(at: deadline) { withExtendedLifetime(probe) {} }
      }
      lifecycle.perform(.launch, .kill, .relaunch, .kill)
      #expect(held != nil)
      withExtendedLifetime(timer) {}
    }
    #expect(held == nil)
  }

  @Test("What is sent to the bus of a killed process reaches only that bus's observers")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func oldBus() {
    let lifecycle = ScriptedLifecycle()
    let (bus, clock, trace) = (lifecycle.bus, lifecycle.clock, Trace())
    let token = bus.addObserver(for: .didReceiveMemoryWarning) { trace($0.metadata["by"] ?? "") }
    let task = Task.detached(executorPreference: clock) {
      do {
        try await Task.sleep(for: .seconds(100), clock: clock)
      } catch {
        bus.send(.didReceiveMemoryWarning, metadata: ["by": "\(type(of: error))"])
      }
    }
    lifecycle.perform(.launch, .advance(by: .seconds(1)), .kill, .relaunch)
    let (transcript, recording) = (lifecycle.transcript, lifecycle.recordings[0].transcript)
    clock.advance(by: .zero)
    bus.send(.didReceiveMemoryWarning, metadata: ["by": "test"])
    expectNoDifference(trace.lines, ["CancellationError", "test"])
    expectNoDifference(lifecycle.transcript, transcript)
    expectNoDifference(lifecycle.recordings[0].transcript, recording)
    withExtendedLifetime((task, token)) {}
  }

  @Test("A file that a killed process opens does not exist for the next process")
  func lateFile() throws {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch)
    let (bus, files) = (lifecycle.bus, lifecycle.fileSystem)
    lifecycle.perform(.kill)
    let late = try LifecycleJournal(at: "a", of: bus, fileSystem: files)
    try late.set("late", forKey: "state")
    lifecycle.perform(.relaunch)
    let next = try LifecycleJournal(at: "a", of: lifecycle.bus, fileSystem: lifecycle.fileSystem)
    expectNoDifference(next.previousRun.exit, .firstLaunch)
    #expect(try next.value(String.self, forKey: "state") == nil)
    withExtendedLifetime(late) {}
  }
}

/// Journals of a scripted process in files of the system.
@Suite("Scripted lifecycle: files of the system")
@MainActor
struct ScriptedFileTests {
  private let folder = TemporaryDirectory()
  private let lifecycle = ScriptedLifecycle(
    fileSystem: JournalFileSystem(SystemJournalFileSystem(yieldsLock: true))
  )

  init() {
    lifecycle.perform(.launch)
  }

  private func open(_ path: String? = nil) throws(LifecycleJournal.OpenError) -> LifecycleJournal {
    try LifecycleJournal(
      at: path ?? folder.path("state"),
      of: lifecycle.bus,
      fileSystem: lifecycle.fileSystem
    )
  }

  @Test("A journal is refused if its file is in use or a directory")
  func refusedFiles() throws {
    let journal = try open()
    let inUse = LifecycleJournal.OpenError.inUse(path: folder.path("state"), processID: getpid())
    #expect(throws: inUse) { try open() }
    let directory = LifecycleJournal.OpenError.notARegularFile(path: folder.path, .directory)
    #expect(throws: directory) { try open(folder.path) }
    withExtendedLifetime(journal) {}
  }

  /// A Boolean value that indicates whether another process could lock the file.
  private var isFree: Bool {
    let descriptor = Foundation.open(folder.path("state"), O_RDWR)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  @Test("A journal's file is locked in the foreground only, and unlocked by a kill")
  func lockedAgain() throws {
    let journal = try open()
    var free: [Bool] = []
    for step: LifecycleStep in [.becomeActive, .enterBackground, .enterForeground] {
      lifecycle.perform(step)
      free.append(isFree)
    }
    expectNoDifference(free, [false, true, false])
    lifecycle.perform(.enterBackground, .kill)
    let bytes = folder.bytes("state")
    // The process may still call, with no effect.
    try journal.set(1, forKey: "late")
    #expect(isFree)
    expectNoDifference(folder.bytes("state"), bytes)
  }

  @Test("Launched before the first unlock, a process opens its journal once the device is unlocked")
  func launchBeforeFirstUnlock() async throws {
    var errors: [LifecycleJournal.OpenError] = []
    var exits: [LifecycleJournal.PreviousExit] = []
    let lifecycle = ScriptedLifecycle { process in
      func open() throws(LifecycleJournal.OpenError) {
        let journal = try LifecycleJournal(
          at: "state",
          of: process.bus,
          fileSystem: process.fileSystem
        )
        exits.append(journal.previousRun.exit)
        process.keep(journal)
      }
      do throws(LifecycleJournal.OpenError) {
        try open()
      } catch {
        errors.append(error)
        Task {
          try await process.bus.waitForProtectedData()
          try open()
        }
      }
    }
    await lifecycle.perform(
      .launch,
      .becomeActive,
      .restartDevice(for: .seconds(60)),
      .launchBeforeFirstUnlock,
      .advance(by: .seconds(3600))
    )
    expectNoDifference(errors, [.protectedDataUnavailable(path: "state")])
    expectNoDifference(exits, [.firstLaunch])
    await lifecycle.perform(.send(.protectedDataDidBecomeAvailable))
    expectNoDifference(exits, [.firstLaunch, .machineRestarted])
    // Locked again, files of the default class stay readable.
    await lifecycle.perform(
      .send(.protectedDataWillBecomeUnavailable),
      .advance(by: .seconds(2)),
      .kill,
      .launchBeforeFirstUnlock,
      .kill,
      .launch
    )
    expectNoDifference(exits, [.firstLaunch, .machineRestarted, .killedInBackground])
    expectNoDifference(errors.count, 2)
  }
}
