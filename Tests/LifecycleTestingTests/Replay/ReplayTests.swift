import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleTesting
import TestSupport
import Testing

@Suite("Replaying a recording in virtual time")
@MainActor
struct ReplayTests {
  /// A life with a stay of 90 s, of which the device sleeps 60 s, and a clock that is set.
  private func recordedLife() -> FlightRecording {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scenes = TestSource("scenes")
    let connection = try! bus.connect(scenes)
    let input = scenes.feed
    input.send(.didBecomeActive, metadata: ["scene": "1"])
    clock.advance(by: .seconds(10))
    input.send(.didEnterBackground)
    clock.advance(by: .seconds(30))
    clock.sleepDevice(for: .seconds(60))
    clock.setWallClock(by: .seconds(-3600))
    input.send(.willEnterForeground)
    input.send(.didBecomeActive)
    input.send(.didBecomeActive)
    clock.advance(by: .seconds(5))
    connection.cancel()
    input.send(.willResignActive)
    return recorder.recording
  }

  private let text = """
      [0 s background] didFinishLaunching (synthesized)
      [0 s inactive] willEnterForeground (synthesized)
      [0 s active] didBecomeActive (from scenes) [scene: "1"]
      [10 s inactive] willResignActive (synthesized)
      [10 s background] didEnterBackground (from scenes)
      [100 s inactive] willEnterForeground (from scenes, away 90 s, asleep 60 s, clock set by -3600 s)
      [100 s active] didBecomeActive (from scenes)
      [100 s active] didBecomeActive suppressed: duplicate (from scenes)
      [105 s active] willResignActive suppressed: disconnected (from scenes)
    """

  @Test("A timer that was due while the device slept fires after the sleep, as in the recording")
  func programBehaves() {
    let lifecycle = ScriptedLifecycle(replaying: [recordedLife()]) { process in
      let clock = process.clock
      let calls = process.recorder(of: String.self, as: "timer")
      for second in [5, 35, 60] {
        process.keep(
          clock.schedule(at: clock.continuous + .seconds(second)) { calls.record("\(second) s") }
        )
      }
    }
    lifecycle.replay()
    let lines = lifecycle.transcript.lines.map(\.description).filter { $0.contains("timer") }
    expectNoDifference(
      lines,
      [
        "  [5 s active] timer: 5 s",
        "  [35 s background] timer: 35 s",
        "  [100 s background] timer: 60 s",
      ]
    )
  }

  @Test("A replay until a time leaves clock and bus as they were at that time")
  func untilTime() {
    let lifecycle = ScriptedLifecycle(replaying: [recordedLife()])
    let start = lifecycle.clock.now
    lifecycle.replay(until: .seconds(5))
    expectNoDifference(lifecycle.bus.phase, .active)
    expectNoDifference(lifecycle.clock.now, start.advanced(by: .seconds(5)))
    // Awake for 30 s of the stay, then asleep.
    lifecycle.replay(until: .seconds(50))
    expectNoDifference(lifecycle.bus.phase, .background)
    expectNoDifference(lifecycle.clock.now.timeAwake, start.timeAwake + .seconds(40))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(50))
    // The wall clock is set last.
    expectNoDifference(lifecycle.clock.now.timeSince1970, start.timeSince1970 + .seconds(50))
    lifecycle.replay(until: .seconds(1))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(50))
    lifecycle.replay(until: .seconds(200))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(200))
    lifecycle.replay()
    expectLifecycle(lifecycle, matches: text)
  }

  @Test("After its recording, a process performs steps, and can be killed and relaunched")
  func stepsFollow() {
    let lifecycle = ScriptedLifecycle(replaying: [recordedLife()])
    lifecycle.replay()
    lifecycle.takeTranscript()
    lifecycle.perform(.background(for: .seconds(1)), .kill, .relaunch)
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
        background(for: 1 s)
          [105 s inactive] willResignActive
          [105 s background] didEnterBackground
          [106 s inactive] willEnterForeground (away 1 s)
          [106 s active] didBecomeActive
        kill
        relaunch
          [106 s background] didFinishLaunching
        """
    )
    expectNoDifference(lifecycle.recordings.count, 2)
  }

  @Test("A recording that starts in the background ends its stay at the recorded length")
  func startsInTheMiddle() {
    let whole = recordedLife()
    var recording = whole
    let index = whole.records.firstIndex {
      if case .event(let event) = $0.content { event.kind == .didEnterBackground } else { false }
    }!
    for record in whole.records[...index] { recording.start.advance(past: record) }
    recording.records.removeFirst(index + 1)
    var phases: [LifecyclePhase] = []
    let lifecycle = ScriptedLifecycle(replaying: [recording]) { phases.append($0.bus.phase) }
    lifecycle.replay(until: .zero)
    expectNoDifference(phases, [.unknown])
    expectNoDifference(lifecycle.bus.phase, .background)
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.map(\.transcript), [recording.transcript])
  }

  @Test("A difference between replay and recording is reported once, at the caller's line")
  func differenceIsReported() {
    var recording = recordedLife()
    recording.records.removeAll { record in
      guard case .input(let input) = record.content else { return false }
      return input.kind == .willEnterForeground
    }
    let lifecycle = ScriptedLifecycle(replaying: [recording])
    var line = 0
    let issues = reportedIssues {
      line = #line + 1
      lifecycle.replay()
      lifecycle.replay()
    }
    expectNoDifference(issues.map(\.line), [line])
    expectNoDifference(lifecycle.clock.now, recording.end)
    expectNoDifference(
      lifecycle.transcript.lines.last?.description,
      text.split(separator: "\n").last.map(String.init)
    )
    let message = issues.first?.message ?? ""
    #expect(
      message.contains(
        """
        The replay differs from the recording at line 6 of its transcript:

          recorded: [100 s inactive] willEnterForeground (from scenes, away 90 s, asleep 60 s, \
        clock set by -3600 s)
          replayed: [100 s inactive] willEnterForeground (synthesized, away 90 s, asleep 60 s, \
        clock set by -3600 s)
        """
      )
    )
  }

  @Test("Between recorded runs, a run without an end is killed, and a new boot restarts the device")
  func severalRuns() {
    let first = recordedLife()
    var second = recordedLife()
    second.process.bootID = BootID(rawValue: "another")
    let lifecycle = ScriptedLifecycle(replaying: [first, second]) { process in
      _ = process.clock.schedule(at: process.clock.continuous + .seconds(1_000)) {
        Issue.record("The timer of a killed process fired.")
      }
    }
    lifecycle.replay()
    expectNoDifference(
      lifecycle.recordings.map(\.transcript),
      [first.transcript, second.transcript]
    )
    expectNoDifference(lifecycle.clock.now, second.end)
    #expect(lifecycle.clock.bootID != first.process.bootID)
  }

  @Test("Between two recorded runs, no timer, recorder or journal of the first is active")
  func pauseBetweenRuns() throws {
    let first = recordedLife()
    var second = first
    second.process.id += 1
    let shift = Duration.seconds(1_000)
    second.start.instant = second.start.instant.advanced(by: shift)
    for index in second.records.indices {
      second.records[index].instant = second.records[index].instant.advanced(by: shift)
    }
    let subject = PassthroughSubject<Int, Never>()
    var recorders: [LifecycleRecorder<Int, Never>] = []
    var journals: [LifecycleJournal] = []
    let lifecycle = ScriptedLifecycle(replaying: [first, second]) { process in
      process.keep(
        process.clock.schedule(at: process.clock.continuous + .seconds(500)) {
          Issue.record("The timer of a process that has ended fired.")
        }
      )
      recorders.append(process.transcribe(subject, as: "subject"))
      journals.append(
        try LifecycleJournal(at: "journal", of: process.bus, fileSystem: process.fileSystem)
      )
    }
    let end = first.start.instant.continuous.duration(to: first.end.continuous)
    lifecycle.replay(until: end)
    expectNoDifference(lifecycle.bus.phase, .active)
    expectNoDifference(lifecycle.recordings.count, 1)
    lifecycle.replay(until: .seconds(600))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(600))
    subject.send(1)
    expectNoDifference(recorders.map(\.elements), [[]])
    try journals[0].set("late", forKey: "key")
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.count, 2)
    expectNoDifference(lifecycle.clock.now, second.end)
    #expect(try journals[1].value(String.self, forKey: "key") == nil)
  }

  // MARK: Replays that are refused

  /// A recording that starts in a phase and has no records.
  private func start(in phase: LifecyclePhase) -> FlightRecording {
    var recording = recordedLife()
    recording.start.phase = phase
    recording.records = []
    return recording
  }

  @Test("An empty replay only moves the clock, and its process performs steps")
  func noRecording() {
    expectReportedIssue("There is nothing to replay.") { ScriptedLifecycle().replay() }
    let lifecycle = ScriptedLifecycle(replaying: [])
    lifecycle.replay(until: .seconds(5))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(5))
    lifecycle.perform(.launch, .becomeActive)
    expectNoDifference(lifecycle.bus.phase, .active)
    // The first process of the script.
    expectNoDifference(lifecycle.recordings.map(\.process.id), [1])
  }

  @Test("A launch that fails ends the replay, which is reported at the caller's line")
  func launchFails() {
    struct Failure: Error {}
    let lifecycle = ScriptedLifecycle(replaying: [recordedLife()]) { _ in throw Failure() }
    expectReportedIssue("the launch closure threw an error: Failure()", line: #line + 1) {
      lifecycle.replay()
    }
    expectNoDifference(lifecycle.transcript.lines.map(\.description), [])
  }

  @Test("A recorded start that its sources do not explain is reported")
  func unexplainedStart() {
    var recording = start(in: .inactive)
    recording.start.program = .background
    let lifecycle = ScriptedLifecycle(replaying: [recording])
    expectReportedIssue(
      """
      The replay starts in the phase background, but the recording in inactive: the phases of the \
      recorded sources do not explain it.
      """,
      line: #line + 2
    ) {
      lifecycle.replay()
    }
    expectNoDifference(lifecycle.bus.phase, .background)
  }

  @Test(
    "A replay inside an observer of its bus is refused",
    arguments: [false, true]
  )
  func insideObserver(isStarted: Bool) {
    let lifecycle = ScriptedLifecycle(replaying: [isStarted ? recordedLife() : start(in: .inactive)]
    )
    if isStarted { lifecycle.replay(until: .seconds(5)) }
    let token = lifecycle.bus.addObserver(for: .reloadRequest) { _ in lifecycle.replay() }
    expectReportedIssue(
      "it runs inside an observer of its bus, or not on the main actor.",
      line: #line - 3
    ) {
      lifecycle.bus.send(.reloadRequest)
    }
    // The first input that could not be waited for is the last one.
    expectNoDifference(lifecycle.bus.phase, isStarted ? .background : .inactive)
    withExtendedLifetime(token) {}
  }

  // MARK: Random lives, and a real one

  @Test(
    "Random lives are replayed identically, whole and from the middle on",
    arguments: BusKind.allCases
  )
  func randomLives(_ kind: BusKind) {
    for seed in seeds(250) {
      for recording in RandomLife.recordings(kind, seed: seed, capacity: 25) {
        let replayed = Self.replay(recording)
        let recorded = recording.withoutEffectsOfDropped.transcript
        guard replayed == recorded else {
          expectNoDifference(replayed, recorded, "LIFECYCLE_SEED=\(seed)")
          return
        }
      }
    }
  }

  private static func replay(_ recording: FlightRecording) -> LifecycleTranscript {
    let lifecycle = ScriptedLifecycle(replaying: [recording])
    lifecycle.replay()
    return lifecycle.transcript
  }

  /// What `lifecycle-monitor watch --format json` recorded of itself in a terminal: Ctrl-Z and `fg`,
  /// Ctrl-Z, `bg` and `fg`, Ctrl-Z and `kill`. The boot and the process have other identifiers.
  @Test("The recording of a real process with three stops and a SIGTERM is replayed identically")
  func jobControl() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Recordings/job-control.jsonl").path
    let report = try FlightFile(contentsOf: path)
    expectNoDifference(report.damage, [])
    var ends = 0
    let lifecycle = ScriptedLifecycle(replaying: report.recordings) { process in
      process.keep(process.bus.addObserver(for: .willTerminate) { _ in ends += 1 })
    }
    lifecycle.replay(until: .seconds(5))
    expectNoDifference(lifecycle.bus.phase, .background)
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.map(\.transcript), report.recordings.map(\.transcript))
    expectNoDifference(ends, 1)
  }
}
