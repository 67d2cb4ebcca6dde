import CustomDump
import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle
import Testing

@Suite("The lanes of a timeline")
struct TimelineModelTests {
  private func lines(
    _ story: Story,
    _ subject: LifecycleTimeline.Lane.Subject,
    name: String? = nil
  ) -> [String] {
    LifecycleTimeline([story.recording]).lines(subject, name: name)
  }

  @Test("Phases, with nothing for the end")
  func phases() {
    expectNoDifference(
      lines(.short, .phase),
      [
        "0.0–10.0 row 0: active for 10 s", "10.0–25.0 row 0: background for 15 s",
        "25.0–30.0 row 0: active for 5 s",
      ]
    )
  }

  @Test("A stay has the duration that its event has")
  func stays() {
    expectNoDifference(
      lines(.rental, .background),
      [
        "26.0–118.0 row 0: away 92 s, asleep 60 s",
        "194.0–197.0 row 0: in the background for 3 s, until the end",
      ]
    )
  }

  @Test("A stay that the recording does not end is drawn to its end")
  func openStay() {
    var story = Story()
    story.launch()
    story.leave()
    story.wait(.seconds(8))
    story.note("still here")
    expectNoDifference(
      lines(story, .background),
      ["0.0–8.0 row 0: in the background for 8 s or longer"]
    )
  }

  @Test("The machine's sleep is the difference of two clocks, with the notices about it")
  func sleep() {
    expectNoDifference(
      lines(.rental, .sleep),
      [
        "56.0–116.0 row 0: the machine slept for 1 min",
        "56.0 notice: systemWillSleep (background, from system clock)",
        "116.0 notice: systemDidWake (background, from system clock) · timeAsleep: 60 s",
      ]
    )
  }

  @Test("A source has its connection, its inputs, and the reason of suppressed ones")
  func source() {
    expectNoDifference(
      lines(.rental, .source, name: "terminal focus"),
      [
        "0.0–197.0 row 0: terminal focus (ceiling) connected for 3 min 17 s as ceiling",
        "42.0 suppressed: input willEnterForeground from terminal focus (ceiling), suppressed: masked",
      ]
    )
  }

  @Test("A source that disconnects ends; one of the start has been there")
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
        "0.0–6.0 row 0: signals connected for 6 s as presence",
        "2.0–5.0 row 0: window connected for 3 s as presence",
      ]
    )
  }

  @Test("Background tasks at the same time have a row each")
  func tasks() {
    expectNoDifference(
      lines(.rental, .backgroundTasks),
      [
        "26.0–56.0 row 0: background task \"upload\": expired, 30 s",
        "33.0–42.0 row 1: background task \"thumbnails\": finished, 9 s",
      ]
    )
  }

  @Test("A countdown is paused, and resumed")
  func countdowns() {
    expectNoDifference(
      lines(.rental, .countdowns),
      [
        "5.0–145.0 row 0: countdown \"rental\", 2 min 20 s",
        "145.0–163.0 row 0: countdown \"rental\" (paused), 18 s",
        "163.0–185.0 row 0: countdown \"rental\": finished, 22 s",
      ]
    )
  }

  @Test("Fetches, notices and notes")
  func others() {
    expectNoDifference(
      lines(.rental, .fetches) + lines(.rental, .notices) + lines(.rental, .notes),
      [
        "139.0–145.0 row 0: fetch \"feed\": newData, 6 s",
        """
        134.0 notice: didReceiveMemoryWarning (active, from system clock) · \
        memoryPressure: warning
        """,
        "163.0 notice: significantTimeChange (active, from system clock) · clockShift: -3600 s",
        "5.0 note: note: rental started", "185.0 note: note: rental ended",
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

  @Test("The number of observers")
  func observers() {
    expectNoDifference(
      lines(.rental, .observers),
      [
        "0.0–17.0 row 0: 2 observers", "17.0–185.0 row 0: 3 observers",
        "185.0–197.0 row 0: 2 observers",
      ]
    )
    let lane = LifecycleTimeline([Story.rental.recording]).lanes.first { $0.subject == .observers }
    expectNoDifference(lane?.spans.map(\.level), [2, 3, 2])
  }

  @Test("More than twelve sources share a lane")
  func manySources() {
    var story = Story()
    for id in 1...20 { story.connect(id, LifecycleSourceName(rawValue: "source \(id)")) }
    let names = LifecycleTimeline([story.recording]).lanes.filter { $0.subject == .source }
      .map(\.name)
    expectNoDifference(names, (1...12).map { "source \($0)" } + ["other sources"])
  }

  @Test("Lanes of the same name are lanes of their own")
  func sameNames() {
    var story = Story()
    for id in 1...20 {
      let name = id == 1 ? "other sources" : id == 2 ? "program" : "source \(id)"
      story.connect(id, LifecycleSourceName(rawValue: name))
    }
    story.input(.didBecomeActive, from: 0)
    let lanes = LifecycleTimeline([story.recording]).lanes.filter { $0.subject == .source }
    expectNoDifference(
      lanes.map(\.name),
      ["other sources", "program"] + (3...12).map { "source \($0)" } + ["other sources"]
    )
    expectNoDifference(
      lanes.map { $0.spans.count + $0.marks.count },
      Array(repeating: 1, count: 12) + [9]
    )
  }
}
