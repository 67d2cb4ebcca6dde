import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of the flight recorder run")
@MainActor
struct FlightRecorderSampleRuns {
  @Test("A recording has the inputs, the events, and the note")
  func recorder() {
    let recording = flightRecorderSample(LifecycleBus(clock: ManualClock()))
    expectNoDifference(recording.records.count, 6)
    expectNoDifference(recording.records.last?.content, .note("payment accepted"))
  }

  @Test("A background task of a recorded bus is recorded")
  func backgroundTask() {
    let recording = recordedBackgroundTaskSample(LifecycleBus(clock: ManualClock()))
    expectNoDifference(
      recording.records.map(\.content),
      [
        .activity(FlightActivity(.backgroundTask, id: 1, name: "upload", .began)),
        .activity(FlightActivity(.backgroundTask, id: 1, name: "upload", .ended("finished"))),
      ]
    )
  }
}
