import CustomDump
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Replaying a recording in virtual time")
@MainActor
struct ReplayTests {
  /// A life with a stay of 90 s, of which the device sleeps 60 s, and a clock that is set.
  func recordedLife(isTerminated: Bool = false) -> FlightRecording {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scenes = FeedSource("scenes")
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
    if isTerminated { bus.send(.willTerminate) }
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

  @Test("The transcript of a recording has its events and its suppressed inputs")
  func transcript() {
    expectLifecycle(recordedLife(), matches: text)
  }

  @Test("A replay has the transcript of the recording, on both buses")
  func identicalTranscript() {
    let recording = recordedLife()
    let lifecycle = ScriptedLifecycle(replaying: recording)
    lifecycle.replay()
    expectLifecycle(lifecycle, matches: text)
    expectNoDifference(lifecycle.recordings.map(\.transcript), [recording.transcript])
    let other = NonisolatedScriptedLifecycle(replaying: recording)
    other.replay()
    expectLifecycle(other, matches: text)
    expectNoDifference(lifecycle.clock.now, recording.end)
  }

  @Test("The program behaves as in the field: what was due while the device slept comes later")
  func programBehaves() {
    let lifecycle = ScriptedLifecycle(replaying: recordedLife()) { process in
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

  @Test("Replayed until a time, the clock shows it, and the program can be looked at")
  func untilTime() {
    let lifecycle = ScriptedLifecycle(replaying: recordedLife())
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

  @Test("After its recording the process continues with steps, and can be killed and relaunched")
  func stepsFollow() {
    let lifecycle = ScriptedLifecycle(replaying: recordedLife())
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
    let lifecycle = ScriptedLifecycle(replaying: recording) { phases.append($0.bus.phase) }
    lifecycle.replay(until: .zero)
    expectNoDifference(phases, [.unknown])
    expectNoDifference(lifecycle.bus.phase, .background)
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.map(\.transcript), [recording.transcript])
    expectLifecycle(
      lifecycle,
      matches: """
          [90 s inactive] willEnterForeground (from scenes, away 90 s, asleep 60 s, clock set by -3600 s)
          [90 s active] didBecomeActive (from scenes)
          [90 s active] didBecomeActive suppressed: duplicate (from scenes)
          [95 s active] willResignActive suppressed: disconnected (from scenes)
        """
    )
  }

  @Test("What the bus does not reproduce is reported at the caller's line, once")
  func differenceIsReported() {
    var recording = recordedLife()
    recording.records.removeAll { record in
      guard case .input(let input) = record.content else { return false }
      return input.kind == .willEnterForeground
    }
    let lifecycle = ScriptedLifecycle(replaying: recording)
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

  @Test("A lifecycle without a recording has nothing to replay")
  func nothingToReplay() {
    let lifecycle = ScriptedLifecycle()
    expectReportedIssue("There is nothing to replay.") { lifecycle.replay() }
  }

  @Test("A scripted life is recorded, and its recording replayed")
  func scriptedLifeReplayed() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(
      .launch,
      .becomeActive,
      .background(for: .seconds(90), deviceAsleep: .seconds(60)),
      .memoryWarning,
      .terminate,
      .relaunch,
      .becomeActive
    )
    let replay = ScriptedLifecycle(replaying: lifecycle.recordings)
    replay.replay()
    expectNoDifference(replay.recordings.map(\.transcript), lifecycle.recordings.map(\.transcript))
    expectNoDifference(replay.recordings.count, 2)
  }

  @Test(
    "Random lives are replayed identically, also from their middle on",
    arguments: BusKind.allCases
  )
  func randomLives(_ kind: BusKind) {
    for seed in seeds(250) {
      for recording in RandomLife.recordings(kind, seed: seed, capacity: 25) {
        let replayed = Self.replay(recording, kind)
        let recorded = recording.withoutEffectsOfDropped.transcript
        guard replayed == recorded else {
          expectNoDifference(replayed, recorded, "LIFECYCLE_SEED=\(seed)")
          return
        }
      }
    }
  }

  private static func replay(_ recording: FlightRecording, _ kind: BusKind) -> LifecycleTranscript {
    switch kind {
    case .mainActor:
      let lifecycle = ScriptedLifecycle(replaying: recording)
      lifecycle.replay()
      return lifecycle.transcript
    case .nonisolated:
      let lifecycle = NonisolatedScriptedLifecycle(replaying: recording)
      lifecycle.replay()
      return lifecycle.transcript
    }
  }
}
