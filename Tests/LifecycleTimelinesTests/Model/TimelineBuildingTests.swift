import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("How a timeline is built")
struct TimelineBuildingTests {
  @Test("What began at the same instant, and is open at the end, has the order of its numbers")
  func openActivities() {
    var story = Story()
    let ids = Array(1...40)
    for id in ids.reversed() { story.activity(.backgroundTask, id, "task \(id)", .began) }
    story.wait(.seconds(1))
    let timeline = LifecycleTimeline([story.recording])
    expectNoDifference(
      timeline.lanes.first { $0.subject == .backgroundTasks }?.spans.map(\.label),
      ids.map { "task \($0): no end recorded" }
    )
  }

  @Test("An activity that is older than the recorder is named after its kind")
  func withoutName() {
    var story = Story()
    story.wait(.seconds(2))
    story.activity(.backgroundTask, 1, "", .ended("finished"))
    let timeline = LifecycleTimeline([story.recording])
    expectNoDifference(
      timeline.lanes.first { $0.subject == .backgroundTasks }?.spans.map(\.label),
      ["background task: finished"]
    )
  }

  @Test("A record has the same form in its lane and among the records", arguments: seeds(30))
  func styles(_ seed: UInt64) {
    let timeline = LifecycleTimeline(Story.random(seed: seed))
    for mark in timeline.lanes.flatMap(\.marks) {
      guard let record = mark.record else { continue }
      expectNoDifference(timeline.records[record].style, mark.style)
    }
  }

  @Test("A transition to the phase that the process had is a transition")
  func transitionWithoutChange() {
    var story = Story(phase: .active)
    story.input(.didBecomeActive)
    let timeline = LifecycleTimeline([story.recording])
    let events = timeline.lanes.first { $0.subject == .events }
    expectNoDifference(events?.marks.map(\.style), [.downward])
  }

  @Test("Tens of thousands of sources continue in the next parts of the run")
  func manySources() {
    let sources = (1...20_000).map { FlightSource(id: $0, name: "source") }
    let parts = (1...10).map { number in
      var part = Story(at: .seconds(100 + number), sources: sources, dropped: number)
      part.note("part")
      return part.recording
    }
    let timeline = LifecycleTimeline(parts)
    expectNoDifference(timeline.runs.count, 1)
    expectNoDifference(timeline.lanes.first { $0.subject == .source }?.spans.count, sources.count)
  }
}
