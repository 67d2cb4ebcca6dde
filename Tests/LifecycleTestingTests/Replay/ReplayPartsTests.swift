import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Replaying parts of a run, and what was cut off")
struct ReplayPartsTests {
  /// A life of three inputs with two events each, and a note at the end.
  private let life: FlightRecording = {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    for kind: LifecycleEvent.Kind in [.didBecomeActive, .didEnterBackground, .didBecomeActive] {
      clock.advance(by: .seconds(10))
      bus.send(kind)
    }
    recorder.note("end")
    return recorder.recording
  }()

  private func recordings(_ ranges: Range<Int>...) -> [FlightRecording] {
    ranges.map { range in
      var part = life
      for record in life.records[..<range.lowerBound] { part.start.advance(past: record) }
      part.start.dropped = range.lowerBound
      part.records = Array(life.records[range])
      return part
    }
  }

  private func lifecycle(
    _ recordings: [FlightRecording],
    launches: Counter = Counter()
  ) -> NonisolatedScriptedLifecycle {
    NonisolatedScriptedLifecycle(replaying: recordings) { _ in launches.add() }
  }

  @Test("Recordings that continue each other are one run of one process")
  func oneRun() {
    let launches = Counter()
    for cut in 1..<life.records.count {
      let parts = recordings(0..<cut, cut..<life.records.count)
      let lifecycle = lifecycle(parts, launches: launches)
      lifecycle.replay()
      expectNoDifference(lifecycle.transcript, life.transcript, "\(cut)")
    }
    expectNoDifference(launches.count, life.records.count - 1)
  }

  @Test("Three parts, then another run")
  func anotherRun() {
    var next = life
    next.process.id += 1
    let launches = Counter()
    let parts = recordings(0..<2, 2..<4, 4..<life.records.count)
    let lifecycle = lifecycle(parts + [next], launches: launches)
    lifecycle.replay()
    expectNoDifference(launches.count, 2)
    expectNoDifference(
      lifecycle.recordings.map(\.transcript),
      [life.transcript, next.transcript]
    )
  }

  @Test("A gap in a run ends the replay, which is reported at the caller's line, once")
  func gap() {
    let launches = Counter()
    let lifecycle = lifecycle(recordings(0..<5, 7..<life.records.count), launches: launches)
    var line = 0
    let issues = reportedIssues {
      line = #line + 1
      lifecycle.replay(until: .seconds(100))
      lifecycle.replay()
    }
    expectNoDifference(issues.map(\.line), [line])
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("The replay ends before recordings[1]. It continues the run of "))
    #expect(message.contains("but 2 records before it are missing"))
    expectNoDifference(lifecycle.bus.phase, .active)
    expectNoDifference(lifecycle.clock.elapsed, .seconds(100))
    expectNoDifference(launches.count, 1)
  }

  @Test("A damaged line that changed no state, in a part or between two, is no gap")
  func damageInPart() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    recorder.note("damaged")
    bus.send(.didBecomeActive)
    let whole = recorder.recording
    let note = whole.records.firstIndex { $0.content == .note("damaged") }!
    for cut in note + 1..<whole.records.count {
      var (first, second) = (whole, whole)
      first.records = Array(whole.records[..<cut])
      first.records.remove(at: note)
      for record in whole.records[..<cut] { second.start.advance(past: record) }
      second.start.dropped = cut
      second.records = Array(whole.records[cut...])
      let launches = Counter()
      let lifecycle = lifecycle([first, second], launches: launches)
      lifecycle.replay()
      expectNoDifference(lifecycle.transcript, whole.transcript, "\(cut)")
      expectNoDifference(launches.count, 1)
    }
  }

  @Test("A recording that ends between an input and its events is no difference")
  func cutOff() {
    for end in 1...life.records.count {
      let lifecycle = lifecycle(recordings(0..<end))
      lifecycle.replay()
      expectNoDifference(lifecycle.clock.now, life.records[end - 1].instant)
    }
  }

  @Test("So is one that ends between the disconnection of a source and its events")
  func cutOffAtDisconnection() throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    let source = FeedSource("scene")
    bus.send(.didFinishLaunching)
    let connection = try bus.connect(source, as: .participant("scene"))
    source.feed.send(.didBecomeActive)
    connection.cancel()
    let recording = recorder.recording
    for end in 1...recording.records.count {
      var part = recording
      part.records = Array(recording.records.prefix(end))
      lifecycle([part]).replay()
    }
  }

  @Test("An event that is missing before another record is a difference")
  func missingEvent() {
    var recording = life
    recording.records.remove(at: recording.records.count - 2)
    let lifecycle = lifecycle([recording])
    expectReportedIssue("replayed: [30 s active] didBecomeActive") { lifecycle.replay() }
  }

  @Test("An event that is missing after the input's own one is a difference")
  func missingEventAtEnd() {
    let end = life.end
    let recording = recordings(0..<life.records.count - 1)[0]
    let lifecycle = NonisolatedScriptedLifecycle(replaying: recording) {
      let bus = $0.bus
      let observer = bus.addObserver { [weak bus] event in
        let isLast = event.kind == .didBecomeActive && event.instant == end
        if isLast { bus?.send(.didReceiveMemoryWarning) }
      }
      $0.keep(observer)
    }
    expectReportedIssue("replayed: [30 s active] didReceiveMemoryWarning") { lifecycle.replay() }
  }

  @Test("An event that is missing after an input that the bus follows partly is a difference")
  func missingEventBelowCeiling() throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    let ceiling = FeedSource("lock")
    bus.send(.didFinishLaunching)
    let connection = try bus.connect(ceiling, as: .ceiling)
    ceiling.feed.send(.willEnterForeground)
    bus.send(.didBecomeActive)
    let recording = recorder.recording
    connection.cancel()
    let lifecycle = NonisolatedScriptedLifecycle(replaying: recording) {
      let bus = $0.bus
      let observer = bus.addObserver(for: .willEnterForeground) { [weak bus] _ in
        bus?.send(.didReceiveMemoryWarning)
      }
      $0.keep(observer)
    }
    expectReportedIssue("replayed: [0 s inactive] didReceiveMemoryWarning") { lifecycle.replay() }
  }

  @Test("What the process does after its recording is compared with nothing")
  func stepsFollow() {
    let lifecycle = lifecycle([life])
    lifecycle.replay()
    lifecycle.perform(.background(for: .seconds(1)))
    lifecycle.replay()
    expectNoDifference(lifecycle.transcript.lines.count, life.transcript.lines.count + 5)
  }
}
