import CustomDump
import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Records of the application's background tasks")
struct ApplicationTaskRecordTests {
  @Test("A flight recorder of the application's bus has the tasks of the application's coordinator")
  func recorded() {
    let bus = LifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    LifecycleBus.withApplication(bus) {
      BackgroundTaskCoordinator.application.beginTask(named: "recorded") {}.end()
    }
    let changes = recorder.recording.records.compactMap { record -> String? in
      guard case .activity(let activity) = record.content else { return nil }
      return "\(activity.kind) \(activity.name) \(activity.change)"
    }
    expectNoDifference(
      changes,
      ["backgroundTask recorded began", "backgroundTask recorded ended(\"finished\")"]
    )
  }
}
