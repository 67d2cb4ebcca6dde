import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle

func drawTimelineSample(_ bus: NonisolatedLifecycleBus) -> LifecycleTimeline {
  let recorder = FlightRecorder(of: bus)
  bus.send(.didBecomeActive)
  let timeline = LifecycleTimeline([recorder.recording], title: "rental")
  print(timeline.text(columns: 80, usesColor: false))
  return timeline
}
