import LifecycleTimelines
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of timelines run")
struct TimelineSampleRuns {
  @Test("A bus is recorded and drawn")
  func draw() {
    let timeline = drawTimelineSample(NonisolatedLifecycleBus())
    #expect(timeline.lanes.contains { $0.subject == .events })
  }
}
