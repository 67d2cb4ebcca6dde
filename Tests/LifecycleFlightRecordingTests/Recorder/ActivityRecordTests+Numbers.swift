import CustomDump
import LifecycleBackgroundWork
import LifecycleCountdowns
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ActivityRecordTests {
  @Test("No two activities of a bus have the same number, of whatever kinds they are")
  func numbers() async {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let tasks = BackgroundTaskCoordinator(
      host: InMemoryBackgroundTaskHost(clock: clock),
      recordedOn: bus
    )
    let fetches = BackgroundFetchCoordinator(of: bus)
    let scope = LifecycleScope("stage")
    fetches.addHandler(named: "inbox", in: scope) { .noData }
    let countdown = Countdown(.seconds(10), of: bus)
    countdown.start()
    let task = tasks.beginTask(named: "upload")
    _ = await fetches.performFetch()
    task.end()
    countdown.restart()
    expectNoDifference(
      activities(recorder),
      [
        "0 countdown 1 began", "0 backgroundTask 2 began", "0 fetch 3 began",
        "0 fetch 3 ended(\"noData\")", "0 backgroundTask 2 ended(\"finished\")",
        "0 countdown 1 ended(\"restarted\")", "0 countdown 4 began",
      ]
    )
  }

  @Test("A task that is released before its end has ended by that")
  func releasedTask() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let tasks = BackgroundTaskCoordinator(
      host: InMemoryBackgroundTaskHost(clock: clock),
      recordedOn: bus
    )
    expectReportedIssue("released before end()") { _ = tasks.beginTask(named: "upload") }
    expectNoDifference(
      activities(recorder),
      ["0 backgroundTask 1 began", "0 backgroundTask 1 ended(\"released\")"]
    )
  }
}
