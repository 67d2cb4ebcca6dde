import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTimelines

@Suite("The lanes of a timeline")
struct TimelineModelTests {
  private func lines(
    _ story: Story,
    _ subject: LifecycleTimeline.Lane.Subject,
    name: String? = nil
  ) -> [String] {
    LifecycleTimeline([story.recording]).lines(subject, name: name)
  }

  @Test("Phases are spans, and the end has none")
  func phases() {
    expectNoDifference(
      lines(.short, .phase),
      [
        "0.0–10.0 row 0: active for 10 s", "10.0–25.0 row 0: background for 15 s",
        "25.0–30.0 row 0: active for 5 s",
      ]
    )
  }

  /// A life with everything that a lane can show.
  @Test("Stays, sleep, sources, activities, notices, notes and observers have lanes")
  func lanes() {
    let subjects: [LifecycleTimeline.Lane.Subject] = [
      .background, .sleep, .backgroundTasks, .countdowns, .fetches, .notices, .notes, .observers,
    ]
    expectNoDifference(
      subjects.flatMap { lines(.rental, $0) }
        + lines(.rental, .source, name: "terminal focus"),
      [
        "26.0–118.0 row 0: away 92 s, asleep 60 s",
        "194.0–197.0 row 0: in the background for 3 s, until the end",
        "56.0–116.0 row 0: the machine slept for 1 min",
        "56.0 notice: systemWillSleep (background, from system clock)",
        "116.0 notice: systemDidWake (background, from system clock) · timeAsleep: 60 s",
        "26.0–56.0 row 0: background task \"upload\": expired, 30 s",
        "33.0–42.0 row 1: background task \"thumbnails\": finished, 9 s",
        "5.0–145.0 row 0: countdown \"rental\", 2 min 20 s",
        "145.0–163.0 row 0: countdown \"rental\" (paused), 18 s",
        "163.0–185.0 row 0: countdown \"rental\": finished, 22 s",
        "139.0–145.0 row 0: fetch \"feed\": newData, 6 s",
        """
        134.0 notice: didReceiveMemoryWarning (active, from system clock) · \
        memoryPressure: warning
        """,
        "163.0 notice: significantTimeChange (active, from system clock) · clockShift: -3600 s",
        "5.0 note: note: rental started", "185.0 note: note: rental ended",
        "0.0–17.0 row 0: 2 observers", "17.0–185.0 row 0: 3 observers",
        "185.0–197.0 row 0: 2 observers",
        "0.0–197.0 row 0: terminal focus (ceiling) connected for 3 min 17 s as ceiling",
        "42.0 suppressed: input willEnterForeground from terminal focus (ceiling), suppressed: masked",
      ]
    )
  }

  @Test("A source is a span from its connection, or the start, to its disconnection")
  func connections() {
    var story = Story(sources: [FlightSource(id: 1, name: "signals")])
    story.wait(.seconds(2))
    story.connect(2, "window")
    story.wait(.seconds(3))
    story.disconnect(2)
    story.wait(.seconds(1))
    story.disconnect(1)
    story.disconnect(9)
    expectNoDifference(
      lines(story, .source),
      [
        "0.0–6.0 row 0: signals connected for 6 s as application",
        "2.0–5.0 row 0: window connected for 3 s as application",
      ]
    )
  }

  @Test("An observer that leaves is counted only if the recording has its joining")
  func unknownObservers() {
    var story = Story()
    story.observe(1)
    story.wait(.seconds(2))
    story.add(.observerRemoved(observer: 7))
    story.wait(.seconds(2))
    story.add(.observerRemoved(observer: 1))
    expectNoDifference(
      lines(story, .observers),
      ["0.0–4.0 row 0: 1 observer"]
    )
  }

  @Test("More than twelve sources share a lane, and lanes of the same name are lanes of their own")
  func sameNames() {
    var story = Story()
    for id in 1...20 {
      let name = id == 1 ? "other sources" : id == 2 ? "program" : "source \(id)"
      story.connect(id, LifecycleSourceName(rawValue: name))
    }
    story.input(.didBecomeActive, from: 0)
    let lanes = LifecycleTimeline([story.recording]).lanes(.source)
    expectNoDifference(
      lanes.map(\.name),
      ["other sources", "program"] + (3...12).map { "source \($0)" } + ["other sources"]
    )
    expectNoDifference(
      lanes.map { $0.spans.count + $0.marks.count },
      Array(repeating: 1, count: 12) + [9]
    )
  }

  @Test("Activities that began at once and never ended have the order of their numbers")
  func openActivities() {
    var story = Story()
    let ids = Array(1...40)
    for id in ids.reversed() { story.activity(.backgroundTask, id, "task \(id)", .began) }
    story.wait(.seconds(1))
    let timeline = LifecycleTimeline([story.recording])
    expectNoDifference(
      timeline.lanes(.backgroundTasks).first?.spans.map(\.label),
      ids.map { "task \($0): no end recorded" }
    )
  }

  @Test("A transition that does not change the phase is drawn among the events")
  func transitionWithoutChange() {
    var story = Story(phase: .active)
    story.input(.didBecomeActive)
    let timeline = LifecycleTimeline([story.recording])
    let marks = timeline.lanes(.events).flatMap(\.marks)
    expectNoDifference(marks.map(\.style), [.downward])
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
    expectNoDifference(timeline.runCount, 1)
    expectNoDifference(timeline.lanes(.source).first?.spans.count, sources.count)
  }
}

extension LifecycleTimeline {
  /// The spans of a lane, then its marks, with times in seconds.
  func lines(
    _ subject: Lane.Subject,
    name: String? = nil
  ) -> [String] {
    lanes(subject).filter { name.map($0.name.hasPrefix) != false }.flatMap { lane in
      lane.spans.map {
        "\($0.start / .seconds(1))–\($0.end / .seconds(1)) row \($0.row): \($0.detail)"
      }
        + lane.marks.map { "\($0.time / .seconds(1)) \($0.style): \($0.detail)" }
    }
  }
}
