import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Scripted lifecycle")
@MainActor
struct ScriptedLifecycleTests {
  @Test(
    "The transcript has steps, events, repetitions and recordings in the order of their beginning"
  )
  func transcriptHasEverythingInOrder() {
    let lifecycle = ScriptedLifecycle()
    let countdown = Countdown(.seconds(100), of: lifecycle.bus)
    let states = lifecycle.transcribe(countdown.states, as: "countdown")
    let shown = lifecycle.recorder(of: LifecyclePhase.self, as: "observer")
    let token = lifecycle.bus.addObserver { shown.record($0.phase) }
    lifecycle.perform(.launch, .becomeActive)
    countdown.start()
    lifecycle.perform(
      .advance(by: .milliseconds(1500)),
      .duplicate(.didBecomeActive),
      .background(for: .seconds(90), deviceAsleep: .seconds(60)),
      .send(.willTerminate)
    )
    withExtendedLifetime((states, token)) {}
    expectNoDifference(
      lifecycle.transcript.description,
      """
        [0 s unknown] countdown: idle, 100 s
      launch
        [0 s background] didFinishLaunching
        [0 s background] observer: background
      becomeActive
        [0 s inactive] willEnterForeground
        [0 s inactive] observer: inactive
        [0 s active] didBecomeActive
        [0 s active] observer: active
        [0 s active] countdown: running, 100 s
      advance(by: 1.5 s)
        [1 s active] countdown: running, 99 s
      duplicate(didBecomeActive)
        [1.5 s active] didBecomeActive suppressed: duplicate
      background(for: 90 s, deviceAsleep: 60 s)
        [1.5 s inactive] willResignActive
        [1.5 s inactive] observer: inactive
        [1.5 s background] didEnterBackground
        [1.5 s background] observer: background
        [91.5 s inactive] willEnterForeground (away 90 s, asleep 60 s)
        [91.5 s inactive] observer: inactive
        [91.5 s inactive] countdown: running, 9 s
        [91.5 s active] didBecomeActive
        [91.5 s active] observer: active
      send(willTerminate)
        [91.5 s inactive] willResignActive (synthesized)
        [91.5 s inactive] observer: inactive
        [91.5 s background] didEnterBackground (synthesized)
        [91.5 s background] observer: background
        [91.5 s terminated] willTerminate
        [91.5 s terminated] observer: terminated
        [91.5 s terminated] countdown: completed
      """
    )
  }

  @Test(
    "A recorder is kept until it is cancelled, the process is killed, or the lifecycle released"
  )
  func recordersAreKept() {
    weak var cancelled: LifecycleRecorder<LifecyclePhase, Never>?
    weak var killed: LifecycleRecorder<LifecyclePhase, Never>?
    weak var last: LifecycleRecorder<LifecyclePhase, Never>?
    do {
      let lifecycle = ScriptedLifecycle()
      cancelled = lifecycle.transcribe(lifecycle.bus.phases, as: "cancelled")
      killed = lifecycle.transcribe(lifecycle.bus.phases, as: "killed")
      lifecycle.perform(.launch)
      cancelled?.cancel()
      lifecycle.perform(.becomeActive, .kill)
      #expect(killed == nil)
      let lines = lifecycle.transcript.lines.map(\.description)
      expectNoDifference(lines.count { $0.contains("cancelled: ") }, 2)
      expectNoDifference(lines.count { $0.contains("killed: ") }, 4)
      lifecycle.perform(.relaunch)
      last = lifecycle.transcribe(lifecycle.bus.phases, as: "last")
      expectNoDifference(last?.elements, [.background])
    }
    #expect(cancelled == nil && last == nil)
  }

  @Test("An action that is scheduled for now runs before the next event")
  func scheduledForNow() {
    let (lifecycle, trace, scope) = (ScriptedLifecycle(), Trace(), LifecycleScope("model"))
    let (bus, scheduler) = (lifecycle.bus, lifecycle.clock.scheduler)
    bus.addObserver(in: scope) { event in
      scheduler.schedule { trace("\(event.kind) \(bus.phase)") }
    }
    lifecycle.perform(.launch, .becomeActive)
    expectNoDifference(
      trace.take(),
      ["didFinishLaunching background", "willEnterForeground inactive", "didBecomeActive active"]
    )
    scheduler.schedule { trace("tap \(bus.phase)") }
    lifecycle.perform(.resignActive)
    expectNoDifference(trace.take(), ["tap active", "willResignActive inactive"])
  }

  @Test("An action that a main-actor task schedules for now has run when the step is complete")
  func scheduledForNowByTask() async {
    let (lifecycle, trace, scope) = (ScriptedLifecycle(), Trace(), LifecycleScope("model"))
    let (bus, scheduler) = (lifecycle.bus, lifecycle.clock.scheduler)
    bus.addObserver(for: .didFinishLaunching, in: scope) { _ in
      Task { scheduler.schedule { Task { @MainActor in trace("loaded \(bus.phase)") } } }
    }
    await lifecycle.perform(.launch)
    expectNoDifference(trace.take(), ["loaded background"])
  }

  @Test("The closure makeBus creates the bus of each launch")
  func busOfTheTest() {
    let buses = Locked<[LifecycleBus]>([])
    let lifecycle = ScriptedLifecycle(
      makeBus: { clock in
        // A program's own clock, which goes by that of the script.
        let bus = LifecycleBus(clock: TimerlessClock(clock))
        buses.withLock { $0.append(bus) }
        return bus
      }
    )
    var stays: [Duration] = []
    let scope = LifecycleScope()
    lifecycle.bus.onReturn(in: scope) { stays.append($0.timeAway) }
    lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(4)))
    expectNoDifference(stays, [.seconds(4)])
    lifecycle.perform(.kill, .relaunch)
    expectNoDifference(buses.withLock { $0.count }, 2)
    #expect(buses.withLock { $0.last } === lifecycle.bus)
    withExtendedLifetime(scope) {}
  }

  @Test("A lifecycle uses the clock and the file system of the test")
  func clockAndFileSystem() throws {
    let (clock, files) = (ManualClock(), InMemoryFileSystem())
    let lifecycle = ScriptedLifecycle(clock: clock, fileSystem: .inMemory(files))
    #expect(lifecycle.clock === clock)
    lifecycle.perform(.launch, .advance(by: .seconds(5)))
    expectNoDifference(clock.elapsed, .seconds(5))
    _ = try LifecycleJournal(at: "/a", of: lifecycle.bus, fileSystem: lifecycle.fileSystem)
    expectNoDifference(files.paths, ["/a"])
  }

  @Test("After a kill, no observer, stream or countdown of the old process receives anything")
  func nobodyHearsOfKill() {
    let lifecycle = ScriptedLifecycle()
    var heard: [String] = []
    let bus = lifecycle.bus
    let scope = LifecycleScope("killed")
    bus.addObserver(in: scope) { heard.append($0.kind.rawValue) }
    bus.events.sink(
      receiveCompletion: { _ in heard.append("finished") },
      receiveValue: { _ in }
    ).store(in: scope)
    let countdown = Countdown(.seconds(10), of: bus, inBackground: .finishOnTime)
    countdown.states.sink(
      receiveCompletion: { _ in heard.append("countdown finished") },
      receiveValue: { heard.append("\($0.remaining)") }
    ).store(in: scope)
    countdown.start()
    lifecycle.perform(.launch, .becomeActive)
    heard = []
    lifecycle.perform(.kill, .advance(by: .seconds(60)), .relaunch, .becomeActive, .terminate)
    expectNoDifference(heard, [])
    #expect(lifecycle.bus !== bus)
    withExtendedLifetime((countdown, scope)) {}
  }

  @Test("The launch closure is called for each launch, before its first event")
  func closureBuildsWhatLaunchBuilds() {
    var heard: [[LifecycleEvent.Kind]] = []
    var tokens: [LifecycleCancellable] = []
    let lifecycle = ScriptedLifecycle { process in
      heard.append([])
      tokens.append(process.bus.addObserver { heard[heard.count - 1].append($0.kind) })
    }
    #expect(heard.isEmpty)
    lifecycle.perform(.launch, .becomeActive, .kill, .relaunch, .terminate, .launch)
    expectNoDifference(
      heard,
      [
        [.didFinishLaunching, .willEnterForeground, .didBecomeActive],
        [.didFinishLaunching, .willTerminate],
        [.didFinishLaunching],
      ]
    )
    withExtendedLifetime(tokens) {}
  }

  @Test("A launch that fails is reported at the caller's line, and ends the script")
  func failingLaunch() {
    struct NoDisk: Error {}
    var hasDisk = false
    let lifecycle = ScriptedLifecycle { process in
      process.keep(try LifecycleJournal(at: "a", of: process.bus, fileSystem: process.fileSystem))
      if !hasDisk { throw NoDisk() }
    }
    expectReportedIssue(
      "The script ends here because the launch closure threw an error: NoDisk()",
      line: #line + 2
    ) {
      lifecycle.perform(.launch, .becomeActive)
    }
    expectNoDifference(lifecycle.bus.phase, .unknown)
    hasDisk = true
    lifecycle.perform(.relaunch, .becomeActive)
    expectNoDifference(lifecycle.bus.phase, .active)
  }

  @Test("An impossible step is reported at the caller's line, and ends the script")
  func impossibleStep() {
    let lifecycle = ScriptedLifecycle()
    expectReportedIssue(
      """
      The step resignActive is impossible: the process is in the background, but must be active. \
      The script ends here.
      """,
      line: #line + 2
    ) {
      lifecycle.perform(.launch, .resignActive, .becomeActive)
    }
    expectNoDifference(lifecycle.bus.phase, .background)
    expectNoDifference(lifecycle.transcript.lines.first, .step(.launch))
    expectNoDifference(lifecycle.transcript.lines.count, 2)
  }

  @Test("A step inside an observer of the bus is reported")
  func insideObserver() {
    let lifecycle = ScriptedLifecycle()
    var isFirst = true
    let token = lifecycle.bus.addObserver { _ in
      guard isFirst else { return }
      isFirst = false
      lifecycle.perform(.becomeActive)
    }
    expectReportedIssue(
      "The script can't wait until willEnterForeground is delivered: it runs inside"
    ) {
      lifecycle.perform(.launch)
    }
    withExtendedLifetime(token) {}
  }

  @Test("A process that sent itself willTerminate can be relaunched")
  func endedByItself() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch)
    lifecycle.bus.send(.willTerminate)
    lifecycle.perform(.relaunch, .becomeActive)
    expectNoDifference(lifecycle.bus.phase, .active)
  }

  @Test("Steps survive coding, and describe themselves")
  func stepsCanBeEncoded() throws {
    let steps: [LifecycleStep] = [
      .launch, .becomeActive, .resignActive, .enterBackground, .enterForeground,
      .background(for: .seconds(90)), .background(for: .seconds(90), deviceAsleep: .seconds(60)),
      .duplicate(.didEnterBackground), .memoryWarning, .send("saved"), .terminate, .kill, .relaunch,
      .advance(by: .milliseconds(1)), .sleepDevice(for: .seconds(1)),
      .stopProcess(for: .seconds(2)),
      .setWallClock(by: .seconds(-3600)), .significantTimeChange(by: .seconds(3600)),
      .restartDevice(for: .seconds(30)),
    ]
    let data = try JSONEncoder().encode(steps)
    expectNoDifference(try JSONDecoder().decode([LifecycleStep].self, from: data), steps)
    expectNoDifference(
      steps.suffix(5).map(\.description),
      [
        "sleepDevice(for: 1 s)", "stopProcess(for: 2 s)", "setWallClock(by: -3600 s)",
        "significantTimeChange(by: 3600 s)", "restartDevice(for: 30 s)",
      ]
    )
  }

  // MARK: Recordings

  @Test("A recording begins with the bus, before the launch, and ends with the kill")
  func beginAndEnd() {
    let lifecycle = ScriptedLifecycle()
    let (bus, start) = (lifecycle.bus, lifecycle.clock.now)
    lifecycle.perform(.advance(by: .seconds(10)), .launch, .kill)
    expectNoDifference(bus.send(.didReceiveMemoryWarning), .delivered)
    let recording = lifecycle.recordings[0]
    expectNoDifference(recording.start.instant, start)
    expectNoDifference(
      "\(recording.transcript)",
      "  [10 s background] didFinishLaunching"
    )
  }
}
