import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("The flight recorder: countdowns, background tasks, fetches")
struct ActivityRecordTests {
  let clock = ManualClock()

  /// The activities of a recording, with the seconds since its start.
  func activities(_ recorder: FlightRecorder) -> [String] {
    let recording = recorder.recording
    return recording.records.compactMap { record in
      guard case .activity(let activity) = record.content else { return nil }
      let seconds = recording.start.instant.duration(to: record.instant).components.seconds
      return "\(seconds) \(activity.kind) \(activity.id) \(activity.change)"
    }
  }

  private func names(_ recorder: FlightRecorder) -> Set<String> {
    Set(
      recorder.recording.records.compactMap { record -> String? in
        if case .activity(let activity) = record.content { activity.name } else { nil }
      }
    )
  }

  @Test("A coordinator that is recorded on a bus, and its tasks, do not keep the bus alive")
  func coordinatorDoesNotKeepTheBusAlive() {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    let weak = Weak(bus!)
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(), of: bus!)
    let task = tasks.beginTask(named: "upload")
    bus = nil
    #expect(!weak.isAlive)
    task.end()
    withExtendedLifetime(tasks) {}
  }

  // MARK: Countdowns

  @Test("Each run of a countdown is an activity, with a number of its own")
  func countdownRuns() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    var countdown: Countdown? = Countdown(.seconds(10), of: bus)
    let line = #line - 1
    countdown?.start()
    countdown?.start()
    clock.advance(by: .seconds(1))
    countdown?.pause()
    clock.advance(by: .seconds(1))
    countdown?.resume()
    clock.advance(by: .seconds(9))
    countdown?.restart()
    countdown?.extend(by: .seconds(1))
    countdown?.restart()
    clock.advance(by: .seconds(1))
    countdown?.reset()
    countdown?.reset()
    countdown?.start()
    countdown = nil
    expectNoDifference(
      activities(recorder),
      [
        "0 countdown 1 began", "1 countdown 1 paused", "2 countdown 1 resumed",
        "11 countdown 1 ended(\"finished\")",
        "11 countdown 2 began", "11 countdown 2 ended(\"restarted\")",
        "11 countdown 3 began", "12 countdown 3 ended(\"reset\")",
        "12 countdown 4 began", "12 countdown 4 ended(\"released\")",
      ]
    )
    expectNoDifference(names(recorder), ["\(#fileID):\(line)"])
  }

  @Test("A countdown that began before the recorder was made has an end, without a name")
  func earlierCountdown() {
    let bus = LifecycleBus(clock: clock)
    let countdown = Countdown(.seconds(10), of: bus)
    countdown.start()
    let recorder = FlightRecorder(of: bus)
    clock.advance(by: .seconds(10))
    expectNoDifference(activities(recorder), ["10 countdown 1 ended(\"finished\")"])
    expectNoDifference(names(recorder), [""])
    withExtendedLifetime(countdown) {}
  }

  @Test("A restored countdown begins again")
  func restoredCountdown() {
    let bus = LifecycleBus(clock: clock)
    let countdown = Countdown(.seconds(10), of: bus)
    countdown.start()
    countdown.pause()
    let recorder = FlightRecorder(of: bus)
    let restored = Countdown(restoring: countdown.savedState, of: bus)
    expectNoDifference(
      activities(recorder),
      ["0 countdown 1 began", "0 countdown 1 paused"]
    )
    withExtendedLifetime(restored) {}
  }

  @Test("A countdown that is held in the background is paused, and resumed on the return")
  func heldCountdown() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didBecomeActive)
    let held = Countdown(.seconds(10), of: bus, inBackground: .pause)
    let other = Countdown(.seconds(5), of: bus)
    held.start()
    other.start()
    clock.advance(by: .seconds(1))
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    bus.send(.willEnterForeground)
    expectNoDifference(
      activities(recorder),
      [
        "0 countdown 1 began", "0 countdown 2 began", "1 countdown 1 paused",
        "61 countdown 2 ended(\"finished\")", "61 countdown 1 resumed",
      ]
    )
  }

  // MARK: Background tasks

  @Test("A background task begins and ends, with the reason")
  func tasks() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let tasks = BackgroundTaskCoordinator(
      host: InMemoryBackgroundTaskHost(clock: clock),
      of: bus
    )
    let upload = tasks.beginTask(named: "upload")
    let scope = LifecycleScope("screen")
    tasks.beginTask(named: "sync", in: scope)
    let late = tasks.beginTask(named: "late")
    clock.advance(by: .seconds(1))
    upload.end()
    scope.end()
    clock.advance(by: .seconds(60))
    late.end()
    expectReportedIssue("released before end()") { _ = tasks.beginTask(named: "lost") }
    expectNoDifference(
      activities(recorder),
      [
        "0 backgroundTask 1 began", "0 backgroundTask 2 began", "0 backgroundTask 3 began",
        "1 backgroundTask 1 ended(\"finished\")", "1 backgroundTask 2 ended(\"cancelled\")",
        "30 backgroundTask 3 ended(\"expired\")",
        "61 backgroundTask 4 began", "61 backgroundTask 4 ended(\"released\")",
      ]
    )
    expectNoDifference(names(recorder), ["upload", "sync", "late", "lost"])
  }

  // MARK: Fetches

  @Test("A fetch is named after its handlers, and ends with its result before the notice")
  func fetch() async {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope("stage")
    fetches.addHandler(named: "inbox", in: scope) { .newData }
    fetches.addHandler(named: "news", in: scope) { .noData }
    let report = await fetches.performFetch()
    expectNoDifference(report.result, .newData)
    expectNoDifference(
      recorder.recording.lines.filter { !$0.hasPrefix("observer") },
      [
        "fetch 1 \"inbox, news\" began", "fetch 1 \"inbox, news\" ended(\"newData\")",
        """
        input backgroundFetchDidComplete from 0 [(key: "fetch", value: "1"), (key: "result", \
        value: "newData")]
        """,
        "event 1 backgroundFetchDidComplete unknown→unknown manual",
      ]
    )
  }
}
