import CustomDump
import LifecycleCore
import LifecycleFlightRecording
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
      .observerAdded(observer: 1, location),
      .activity(FlightActivity(.countdown, id: 1, name: "rental", .began)),
      .activity(FlightActivity(.countdown, id: 1, name: "rental", .ended("finished"))),
      event(.willTerminate, .background, .terminated),
      .ended
    )
    expectNoDifference(life.findings(), [])
  }

  @Test("Suppressed reports are findings, counted by source and reason")
  func suppressedReports() {
    let life = recording(
      .connected(FlightSource(id: 1, name: "signals")),
      .connected(FlightSource(id: 2, name: "delegate")),
      // A ceiling is compared with its own reports alone.
      .connected(FlightSource(id: 3, name: "focus", role: .ceiling)),
      .connected(FlightSource(id: 4, name: "lock", role: .ceiling)),
      input(.didBecomeActive, 1),
      input(.didBecomeActive, 2, .duplicate),
      input(.didBecomeActive, 2, .duplicate),
      input(.didBecomeActive, 3, .masked),
      input(.willResignActive, 4),
      input(.didBecomeActive, 3, .duplicate),
      input(.didEnterBackground, 1),
      input(.willResignActive, 1, .duplicate),
      input(.willResignActive, 0, .duplicate),
      input(.didBecomeActive, 1, .disconnected),
      input(.didBecomeActive, 1, .terminated)
    )
    expectNoDifference(
      sentences(life),
      [
        "delegate repeated didBecomeActive 2 times; the repetitions were suppressed.",
        "didBecomeActive of focus had no effect, because another source determined the phase.",
        "focus repeated didBecomeActive; the repetition was suppressed.",
        "signals reported willResignActive without a didBecomeActive before it.",
        "The program repeated willResignActive; the repetition was suppressed.",
        "signals reported didBecomeActive 2 times after its connection, or the bus, had ended.",
      ]
    )
  }

  @Test("A deadline that passed is a finding with the observer that ran")
  func overruns() {
    let life = recording(
      .overrun(.didEnterBackground, location),
      .overrun(.didEnterBackground, location),
      .overrun(.willTerminate, LifecycleObserverLocation())
    )
    expectNoDifference(
      sentences(life),
      [
        "The deadline of didEnterBackground passed 2 times in the observer from \(location).",
        "The deadline of willTerminate passed before the observers had returned.",
      ]
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

  @Test("Long stays, pauses and low memory are counted, with the longest stay and the first cause")
  func counts() {
    let pauses = ["frozen", "stopped"].map { cause in
      var pause = makeEvent(.processWasPaused, .active, .active)
      pause.metadata = ["pauseCause": cause]
      return FlightRecord.Content.event(pause)
    }
    let warning = event(.didReceiveMemoryWarning, .active, .active)
    let life = recording(
      stay(10),
      stay(90_061.5),
      stay(86_401),
      pauses[0],
      pauses[1],
      warning,
      warning
    )
    expectNoDifference(life.findings(stayLimit: .seconds(5)).first?.count, 3)
    expectNoDifference(
      sentences(life),
      [
        "The process was in the background for a long time 2 times, at most 1 d 1 h.",
        "The process was paused without notice 2 times (first pauseCause: frozen).",
        "Memory was low 2 times.",
      ]
    )
  }

  @Test("Activities that expired, failed or never ended are findings, except countdowns")
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
          .activity(FlightActivity(.backgroundTask, id: 4, name: "", .resumed))
        )
      ),
      [
        "The background task \"upload\" ended as expired.",
        "The background task \"upload\" was released before it was ended.",
        "The fetch \"upload\" ended as failed.",
        "The background task \"upload\" was still under way at the end.",
        "The background task was still under way at the end.",
        "2 fetches \"upload\" were still under way at the end.",
      ]
    )
  }

  @Test("Observers that each appearance leaves behind are a finding, unless the end removes them")
  func remainingObservers() {
    let once = LifecycleObserverLocation(fileID: "App/Root.swift", line: 3)
    expectNoDifference(
      sentences(
        recording(
          added(1, location),
          added(2, once),
          added(3, location),
          .note("a second between the others"),
          added(4, location),
          .note("a second between the others"),
          added(5, location),
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
        3 observers from App/Feed.swift:12 were still registered at the end: each appearance may \
        leave one behind.
        """
      ]
    )
  }

  @Test("Observers that a shared line registers at once, or twice, may be there for the whole run")
  func observersForTheWholeRun() {
    let rows = (1...20).map { FlightRecord(added($0, location), at: instant(Double($0) / 20)) }
    func leaks(at times: Double...) -> Int {
      var life = recording(.note("launched"))
      life.records += rows
      life.records += times.enumerated().map { id, time in
        FlightRecord(added(100 + id, location), at: instant(time))
      }
      return life.findings().filter { $0.content == .remainingObservers(location) }.count
    }
    expectNoDifference(leaks(), 0)
    expectNoDifference(leaks(at: 60), 0)
    expectNoDifference(leaks(at: 60, 60.5, 61), 0)
    expectNoDifference(leaks(at: 60, 3_600), 1)
  }

  @Test("Subscribers of publishers, whose lines are not known, are not taken for those of one line")
  func subscribersOfPublishers() {
    let unknown = LifecycleObserverLocation()
    let life = recording(
      added(1, unknown),
      .note("a second"),
      added(2, unknown),
      .note("a second"),
      added(3, unknown)
    )
    expectNoDifference(sentences(life), [])
  }

  private func added(_ id: Int, _ place: LifecycleObserverLocation) -> FlightRecord.Content {
    .observerAdded(observer: id, place)
  }

  @Test("A finding that happened once is described without a number")
  func once() {
    var life = recording(
      stay(90_061),
      event(.didReceiveMemoryWarning, .active, .active),
      event(.processWasPaused, .active, .active)
    )
    life.start.dropped = 1
    life.records += [
      FlightRecord(.note("b"), at: instant(27_010, asleep: 27_000)),
      FlightRecord(.note("c"), at: instant(27_011, asleep: 27_000, shift: 3_600)),
    ]
    expectNoDifference(
      sentences(life),
      [
        "The recording is not complete: 1 record before this was dropped.",
        "The process was in the background for 1 d 1 h.", "Memory was low.",
        "The process was paused without notice.", "The machine slept for 7 h 30 min.",
        "The clock was set forward by 1 h.",
      ]
    )
  }

  @Test(
    "A report that does not fit is described with what is missing before it",
    arguments: [
      (LifecycleEvent.Kind.didBecomeActive, "without a willResignActive before it"),
      (.willResignActive, "without a didBecomeActive before it"),
      (.willEnterForeground, "without a didEnterBackground before it"),
      (.didEnterBackground, "without a willEnterForeground before it"),
      (.didFinishLaunching, "when it no longer applied"),
    ]
  )
  func missingBeginning(_ kind: LifecycleEvent.Kind, _ words: String) {
    var life = recording(input(kind, 1, .duplicate))
    life.start.sources = [FlightSource(id: 1, name: "signals")]
    expectNoDifference(sentences(life), ["signals reported \(kind) \(words)."])
  }

  @Test("A stay without a return lasts until a kill, the end of the bus, or willTerminate")
  func stayWithoutReturn() {
    func stays(_ life: FlightRecording, limit: Duration) -> [FlightFinding.Content] {
      life.findings(stayLimit: limit).map(\.content).filter { $0 != .noTermination }
    }
    let termination = event(.willTerminate, .background, .terminated)
    for end in [[.note("killed")], [.ended], [termination], [termination, .ended]] {
      var life = recording(event(.didEnterBackground, .inactive, .background))
      life.records += end.map { FlightRecord($0, at: instant(3)) }
      expectNoDifference(stays(life, limit: .seconds(2)), [.longStay(longest: .seconds(3))])
      expectNoDifference(stays(life, limit: .seconds(3)), [])
      // It may have begun before the recording.
      life.records.removeFirst()
      life.start.phase = .background
      expectNoDifference(stays(life, limit: .seconds(2)), [.longStay(longest: .seconds(3))])
    }
  }

  @Test("A stay with dropped records in it lasts as long as a part of it, or as its return says")
  func droppedInStay() throws {
    let first = recording(event(.didEnterBackground, .inactive, .background), .note("a"))
    func stays(until end: Double, _ last: FlightRecord.Content) throws -> [Duration] {
      var second = recording(at: 10, .note("b"))
      second.records.append(FlightRecord(last, at: instant(end)))
      (second.start.dropped, second.start.phase) = (9, .background)
      let file = try FlightFile(parsing: first.jsonLines + second.jsonLines)
      return file.findings(stayLimit: .milliseconds(500)).compactMap { finding in
        expectNoDifference(finding.count, 1)
        return if case .longStay(let longest) = finding.content { longest } else { nil }
      }
    }
    expectNoDifference(try stays(until: 15, .note("killed")), [.seconds(5)])
    expectNoDifference(try stays(until: 10, .ended), [.seconds(1)])
    expectNoDifference(try stays(until: 12, stay(12)), [.seconds(12)])
  }

  var location: LifecycleObserverLocation {
    LifecycleObserverLocation(fileID: "App/Feed.swift", line: 12)
  }

  func instant(
    _ seconds: Double,
    asleep: Double = 0,
    shift: Double = 0
  ) -> LifecycleInstant {
    LifecycleInstant(
      continuous: .boot + .seconds(seconds),
      timeAwake: .seconds(seconds - asleep),
      timeSince1970: .seconds(1_000_000 + seconds + shift)
    )
  }

  /// A recording with a second between two records.
  func recording(
    at start: Double = 0,
    _ contents: FlightRecord.Content...
  ) -> FlightRecording {
    FlightRecording(
      process: .init(name: "app", id: 1),
      start: .init(at: instant(start)),
      records: contents.enumerated().map {
        FlightRecord($0.element, at: instant(start + Double($0.offset)))
      }
    )
  }

  /// The findings in words, without that of the missing end.
  func sentences(_ recording: FlightRecording, all: Bool = false) -> [String] {
    recording.findings().filter { all || $0.content != .noTermination }.map(\.description)
  }

  func input(
    _ kind: LifecycleEvent.Kind,
    _ source: Int,
    _ reason: SuppressedInput.Reason? = nil
  ) -> FlightRecord.Content {
    .input(FlightInput(kind, from: source, suppressed: reason))
  }

  func event(
    _ kind: LifecycleEvent.Kind,
    _ previous: LifecyclePhase,
    _ phase: LifecyclePhase
  ) -> FlightRecord.Content {
    .event(makeEvent(kind, previous, phase))
  }

  func stay(_ seconds: Double) -> FlightRecord.Content {
    var event = makeEvent(.willEnterForeground, .background, .inactive)
    event.backgroundStay = BackgroundStay(from: instant(0), to: instant(seconds))
    return .event(event)
  }

  func makeEvent(
    _ kind: LifecycleEvent.Kind,
    _ previous: LifecyclePhase,
    _ phase: LifecyclePhase
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: previous,
      phase: phase,
      sequenceNumber: 1,
      instant: instant(0),
      origin: .source("signals")
    )
  }
}
