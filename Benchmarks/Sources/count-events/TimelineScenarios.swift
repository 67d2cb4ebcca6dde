import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle
import SteppedClock

/// Draws a recording in all forms. Each event that is sent makes two records.
func drawRecords(_ count: Int) -> Performance {
  let clock = SteppedLifecycleClock()
  let bus = LifecycleBus(clock: clock)
  let recorder = FlightRecorder(of: bus, capacity: count)
  for index in 0..<count / 2 {
    clock.step()
    bus.send(index.isMultiple(of: 2) ? .didBecomeActive : .willResignActive)
  }
  let recording = recorder.recording
  let timeline = LifecycleTimeline([recording])
  let drawings = [timeline.text(columns: 80, usesColor: true), timeline.svg, timeline.html]
  let (drawn, recorded) = (Tally(), Tally())
  drawn.add(drawings.count { $0.contains("active") })
  recorded.add(recording.records.count)
  return Performance(
    holding: drawings,
    .init("drawing", [drawn], calls: drawings.count),
    .init("record", [recorded], calls: count)
  )
}
