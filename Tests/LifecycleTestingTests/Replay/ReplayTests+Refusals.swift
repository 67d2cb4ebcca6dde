import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Replays that can't be carried out.
extension ReplayTests {
  /// A recording that starts in a phase and has no records.
  private func start(in phase: LifecyclePhase) -> FlightRecording {
    var recording = recordedLife()
    recording.start.phase = phase
    recording.records = []
    return recording
  }

  @Test("Without a recording nothing is replayed, and the process performs steps")
  func noRecording() {
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
    let lifecycle = ScriptedLifecycle(replaying: recordedLife()) { _ in throw Failure() }
    expectReportedIssue("the launch closure threw an error: Failure()", line: #line + 1) {
      lifecycle.replay()
    }
    expectNoDifference(lifecycle.transcript.lines.map(\.description), [])
  }

  @Test("A start that its sources do not explain is reported")
  func unexplainedStart() {
    var recording = start(in: .inactive)
    recording.start.program = .background
    let lifecycle = ScriptedLifecycle(replaying: recording)
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
    "Inside an observer of its bus nothing can be replayed, neither the start nor what follows",
    arguments: [false, true]
  )
  func insideObserver(isStarted: Bool) {
    let lifecycle = ScriptedLifecycle(replaying: isStarted ? recordedLife() : start(in: .inactive))
    if isStarted { lifecycle.replay(until: .seconds(5)) }
    let token = lifecycle.bus.addObserver(for: .reloadRequest) { _ in lifecycle.replay() }
    expectReportedIssue(
      "it runs inside an observer of its bus, or not where the bus delivers.",
      line: #line - 3
    ) {
      lifecycle.bus.send(.reloadRequest)
    }
    // The first input that could not be waited for is the last one.
    expectNoDifference(lifecycle.bus.phase, isStarted ? .background : .inactive)
    withExtendedLifetime(token) {}
  }
}
