import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle

/// A recording of two inputs, one of which is suppressed, and a note.
@MainActor
func flightRecorderSample(_ bus: LifecycleBus) -> FlightRecording {
  let recorder = FlightRecorder(of: bus)
  bus.send(.didBecomeActive)
  bus.send(.didBecomeActive)
  recorder.note("payment accepted")
  for record in recorder.recording.records { print(record.content) }
  return recorder.recording
}

/// A recorded background task.
@MainActor
func recordedBackgroundTaskSample(_ bus: LifecycleBus) -> FlightRecording {
  let recorder = FlightRecorder(of: bus)
  let host = InMemoryBackgroundTaskHost()
  let tasks = BackgroundTaskCoordinator(host: host, recordedOn: bus)
  tasks.beginTask(named: "upload").end()
  return recorder.recording
}
