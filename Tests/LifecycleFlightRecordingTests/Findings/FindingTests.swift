import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import Testing

@Suite("Findings")
struct FindingTests {
  @Test("A life without anything unusual has no finding")
  func ordinaryLife() {
    let life = recording(
      event(.systemDidWake, .unknown, .unknown),
      event(.didFinishLaunching, .unknown, .background),
      event(.willEnterForeground, .background, .inactive),
      event(.willResignActive, .active, .inactive),
      .note("saved"),
      .observerAdded(FlightObserver(id: 1, location: location)),
      .activity(FlightActivity(.countdown, id: 1, name: "rental", .began)),
      .activity(FlightActivity(.countdown, id: 1, name: "rental", .ended("finished"))),
      event(.willTerminate, .background, .terminated),
      .ended
    )
    expectNoDifference(life.findings(), [])
  }

  @Test("A repeated report and one that does not fit are told apart, and counted by source")
  func duplicatesAndMismatches() {
    let life = recording(
      .connected(FlightSource(id: 1, name: "signals")),
      .connected(FlightSource(id: 2, name: "delegate")),
      input(.didBecomeActive, 1),
      input(.didBecomeActive, 2, .duplicate),
      input(.didBecomeActive, 2, .duplicate),
      input(.didEnterBackground, 1),
      input(.willResignActive, 1, .duplicate),
      input(.willResignActive, 0, .duplicate)
    )
    expectNoDifference(
      sentences(life),
      [
        "delegate repeated didBecomeActive 2 times; the repetitions were suppressed.",
        "signals reported willResignActive without a didBecomeActive before it.",
        "The program repeated willResignActive; the repetition was suppressed.",
      ]
    )
  }

  @Test("A report of a part is compared with those of its role alone")
  func rolesAreSeparate() {
    let life = recording(
      .connected(FlightSource(id: 1, name: "app")),
      .connected(FlightSource(id: 2, name: "focus", role: .ceiling)),
      input(.didBecomeActive, 1),
      input(.didBecomeActive, 2, .masked),
      input(.didBecomeActive, 2, .duplicate)
    )
    expectNoDifference(
      sentences(life),
      [
        "didBecomeActive of focus had no effect, because another source determined the phase.",
        "focus repeated didBecomeActive; the repetition was suppressed.",
      ]
    )
  }

  @Test("A report of a ceiling is compared with those of its source alone")
  func ceilingsAreSeparate() {
    let life = recording(
      .connected(FlightSource(id: 1, name: "lock", role: .ceiling)),
      .connected(FlightSource(id: 2, name: "focus", role: .ceiling)),
      input(.willResignActive, 1),
      input(.didBecomeActive, 2),
      input(.willResignActive, 1, .duplicate)
    )
    expectNoDifference(
      sentences(life),
      ["lock repeated willResignActive; the repetition was suppressed."]
    )
  }

  @Test("A report after the disconnection or the end is late")
  func lateReports() {
    let life = recording(
      .connected(FlightSource(id: 1, name: "signals")),
      input(.didBecomeActive, 1, .disconnected),
      input(.didBecomeActive, 1, .terminated)
    )
    expectNoDifference(
      sentences(life),
      ["signals reported didBecomeActive 2 times after its connection, or the bus, had ended."]
    )
  }

  @Test("A notice that opens a pair twice does not fit, nor one that its source closes twice")
  func noticePairs() {
    let sleep = event(.systemWillSleep, .active, .active)
    let wake = event(.systemDidWake, .active, .active)
    expectNoDifference(sentences(recording(sleep, wake, sleep, wake)), [])
    expectNoDifference(
      sentences(recording(sleep, sleep, wake)),
      ["signals reported systemWillSleep again, without a systemDidWake before it."]
    )
    expectNoDifference(
      sentences(recording(sleep, wake, wake)),
      ["signals reported systemDidWake without a systemWillSleep before it."]
    )
    // The recording may begin in between, or end, and a source may report nothing in advance.
    expectNoDifference(sentences(recording(wake, sleep, wake, sleep)), [])
    expectNoDifference(sentences(recording(wake, wake)), [])
    var other = makeEvent(.systemDidWake, .active, .active)
    other.origin = .source("clock")
    expectNoDifference(sentences(recording(sleep, .event(other), wake, .event(other))), [])
  }

  @Test("Sleep of the machine and changes of its clock are found between any two records")
  func clocks() {
    var life = recording()
    life.records = [
      FlightRecord(.note("a"), at: instant(10)),
      FlightRecord(.note("b"), at: instant(100, asleep: 60)),
      FlightRecord(.note("late"), at: instant(50, asleep: 30)),
      FlightRecord(.note("c"), at: instant(200, asleep: 120, shift: -3600)),
      FlightRecord(.note("d"), at: instant(7_000, asleep: 120, shift: -3598)),
    ]
    expectNoDifference(
      sentences(life),
      ["The machine slept 2 times, 2 min in total.", "The clock was set back by 1 h."]
    )
    expectNoDifference(life.findings().first?.instant, instant(100, asleep: 60))
  }

  @Test("A stay is long above the limit; the text has the longest one")
  func longStays() {
    let life = recording(stay(10), stay(90_061.5), stay(86_401))
    expectNoDifference(
      sentences(life),
      ["The process was in the background for a long time 2 times, at most 1 d 1 h."]
    )
    expectNoDifference(life.findings(stayLimit: .seconds(5)).map(\.count), [3, 1])
  }

  @Test("Pauses and low memory are counted")
  func pausesAndMemory() {
    var pause = makeEvent(.processWasPaused, .active, .active)
    pause.metadata = ["pauseCause": "frozen", "timePaused": "3 s"]
    let warning = event(.didReceiveMemoryWarning, .active, .active)
    expectNoDifference(
      sentences(recording(.event(pause), warning, warning)),
      [
        "The process was paused without notice (pauseCause: frozen, timePaused: 3 s).",
        "Memory was low 2 times.",
      ]
    )
  }

  @Test("Activities that expired, failed, or never ended")
  func activities() {
    func activity(
      _ kind: FlightActivity.Kind,
      _ id: Int,
      _ change: FlightActivity.Change
    ) -> FlightRecord.Content {
      .activity(FlightActivity(kind, id: id, name: "upload", change))
    }
    expectNoDifference(
      sentences(
        recording(
          activity(.backgroundTask, 1, .began),
          activity(.backgroundTask, 1, .ended("expired")),
          activity(.backgroundTask, 3, .began),
          activity(.backgroundTask, 3, .ended("released")),
          activity(.countdown, 4, .began),
          activity(.countdown, 4, .ended("released")),
          activity(.fetch, 1, .began),
          activity(.fetch, 1, .ended("failed")),
          activity(.fetch, 2, .began),
          activity(.fetch, 2, .ended("newData")),
          activity(.countdown, 1, .began),
          activity(.countdown, 2, .began),
          activity(.countdown, 1, .paused),
          activity(.backgroundTask, 2, .began),
          activity(.fetch, 3, .began),
          activity(.fetch, 4, .began),
          .activity(FlightActivity(.countdown, id: 3, name: "", .resumed))
        )
      ),
      [
        "The background task \"upload\" ended as expired.",
        "The background task \"upload\" was released before it was ended.",
        "The fetch \"upload\" ended as failed.",
        "The background task \"upload\" was still under way at the end.",
        "2 countdowns \"upload\" were still under way at the end.",
        "The countdown was still under way at the end.",
        "2 fetches \"upload\" were still under way at the end.",
      ]
    )
  }

  @Test(
    "Several observers from one location that never went are a leak; what the end removes is none"
  )
  func remainingObservers() {
    func added(_ id: Int, _ place: LifecycleObserverLocation) -> FlightRecord.Content {
      .observerAdded(FlightObserver(id: id, location: place))
    }
    let once = LifecycleObserverLocation(fileID: "App/Root.swift", line: 3)
    expectNoDifference(
      sentences(
        recording(
          added(1, location),
          added(2, once),
          added(3, location),
          added(4, location),
          .observerRemoved(observer: 3),
          event(.willTerminate, .background, .terminated),
          .observerRemoved(observer: 1),
          .observerRemoved(observer: 4),
          .ended
        ),
        all: true
      ),
      [
        """
        2 observers from App/Feed.swift:12 were still registered at the end: each appearance may \
        leave one behind.
        """
      ]
    )
  }

  @Test("Extreme times are no trap")
  func extremeTimes() {
    var life = recording()
    let extremes = [Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(Int64.max)]
    life.records = extremes.flatMap { time in
      extremes.map { other in
        FlightRecord(
          .note(""),
          at: LifecycleInstant(
            continuous: .boot + time,
            timeAwake: other,
            timeSince1970: .zero - time
          )
        )
      }
    }
    #expect(sentences(life).count >= 2)
  }
}
