import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import Testing

@testable import LifecycleTimelines

@Suite("Names and descriptions in timelines")
struct RecordTextTests {
  @Test(
    "A notice has a few words",
    arguments: [
      (LifecycleEvent.Kind.didReceiveMemoryWarning, "memory warning"),
      (.significantTimeChange, "time change"), (.protectedDataWillBecomeUnavailable, "locked"),
      (.protectedDataDidBecomeAvailable, "unlocked"),
      (.backgroundFetchDidComplete, "fetch complete"), (.systemWillPowerOff, "power off"),
      (.reloadRequest, "reload"), (.processWasPaused, "paused"), ("ownNotice", "ownNotice"),
    ]
  )
  func notices(_ kind: LifecycleEvent.Kind, _ words: String) {
    var story = Story()
    story.input(kind)
    let lane = LifecycleTimeline([story.recording]).lanes.first { $0.subject == .notices }
    expectNoDifference(lane?.marks.map(\.label), [words])
  }

  @Test(
    "An event is described with its origin and its metadata, by their keys",
    arguments: [
      (LifecycleEvent.Origin.source("signals"), ", from signals"), (.manual, ""),
      (.synthesized, ", filled in"), (.catchUp, ", catch-up"),
    ]
  )
  func events(_ origin: LifecycleEvent.Origin, _ words: String) {
    let instant = Story().now
    let event = LifecycleEvent(
      kind: .systemDidWake,
      previousPhase: .active,
      phase: .active,
      sequenceNumber: 1,
      instant: instant,
      origin: origin,
      metadata: ["b": "2", "a": "1"]
    )
    let line = LifecycleTimeline.line(for: FlightRecord(.event(event), at: instant), since: instant)
    expectNoDifference(line, "    +0.000 ◆ systemDidWake (active\(words)) · a: 1 · b: 2")
  }

  @Test("An input is from the program, from a source, or from one without a name")
  func inputs() {
    let instant = Story().now
    let lines = (0...2).map { source in
      LifecycleTimeline.line(
        for: FlightRecord(.input(FlightInput(.didBecomeActive, from: source)), at: instant),
        since: instant.advanced(by: .seconds(1.5)),
        sources: [1: "signals"]
      )
    }
    expectNoDifference(
      lines,
      ["program", "signals", "source 2"].map { "    -1.500 ● input didBecomeActive from \($0)" }
    )
  }

  @Test("No two subjects have the same title, and no two forms the same words")
  func words() {
    let titles = LifecycleTimeline.Lane.Subject.allCases.map(\.title)
    #expect(Set(titles).count == titles.count && !titles.contains(""))
    let meanings = LifecycleTimeline.Style.allCases.map(PictureParts.meaning)
    #expect(Set(meanings).count == meanings.count && !meanings.contains(""))
  }
}
