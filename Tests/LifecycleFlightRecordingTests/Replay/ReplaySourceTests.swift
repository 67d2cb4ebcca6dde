import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Replaying a recording in real time")
struct ReplaySourceTests {
  let clock = ManualClock()

  /// A launch, a window that comes to the front and goes, a lock, a stay of 100 s, and an end.
  private func recordedLife(end: LifecycleEvent.Kind? = nil) throws -> FlightRecorder {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let scenes = FeedSource("scenes")
    let lock = FeedSource("lock")
    let connections = [try bus.connect(scenes), try bus.connect(lock, as: .ceiling)]
    scenes.feed.send(.didFinishLaunching)
    let window = scenes.feed.part(as: .participant("window"))
    clock.advance(by: .seconds(10))
    window.send(.didBecomeActive, metadata: ["scene": "1"])
    clock.advance(by: .seconds(10))
    lock.feed.send(.willResignActive)
    clock.advance(by: .seconds(10))
    window.disconnect()
    clock.sleepDevice(for: .seconds(100))
    bus.send(.didBecomeActive)
    lock.feed.disconnect()
    if let end { bus.send(end) }
    withExtendedLifetime(connections) {}
    return recorder
  }

  private func events(
    _ kind: BusKind,
    _ recording: FlightRecording,
    speed: Double
  ) throws -> [String] {
    let bus = kind.make(clock: clock)
    let recorder = LifecycleRecorder(bus.events, of: bus)
    let connection = try bus.connect(.replay(recording, speed: speed))
    clock.run()
    withExtendedLifetime(connection) {}
    return recorder.transcript.lines.map(\.description)
  }

  @Test(
    "Ten times as fast: parts with their roles, ceilings, and a tenth of each stay",
    arguments: BusKind.allCases
  )
  @MainActor
  func tenTimesAsFast(_ kind: BusKind) throws {
    let recording = try recordedLife().recording
    expectNoDifference(
      try events(kind, recording, speed: 10),
      [
        "  [0 s background] didFinishLaunching (from replay)",
        "  [1 s inactive] willEnterForeground (synthesized)",
        "  [1 s active] didBecomeActive (from replay) [scene: \"1\"]",
        "  [2 s inactive] willResignActive (from replay)",
        "  [3 s background] didEnterBackground (synthesized)",
        "  [13 s inactive] willEnterForeground (synthesized, away 10 s)",
        "  [13 s active] didBecomeActive (synthesized)",
      ]
    )
  }

  @Test("A recording that starts in the middle begins with its phase")
  @MainActor
  func startsInTheMiddle() throws {
    var recording = try recordedLife().recording
    let index = recording.records.firstIndex {
      if case .event(let event) = $0.content { event.kind == .willResignActive } else { false }
    }!
    for record in recording.records[...index] { recording.start.advance(past: record) }
    recording.records.removeFirst(index + 1)
    let bus = LifecycleBus(clock: clock)
    let connection = try bus.connect(.replay(recording))
    expectNoDifference(bus.phase, .inactive)
    clock.advance(by: .seconds(10))
    expectNoDifference(bus.phase, .background)
    withExtendedLifetime(connection) {}
  }

  @Test("The parts of a rotated recording are replayed as one")
  @MainActor
  func rotatedRecording() throws {
    let whole = try recordedLife().recording
    let expected = try events(.nonisolated, whole, speed: 10)
    for cut in 1..<whole.records.count {
      var (first, second) = (whole, whole)
      first.records = Array(whole.records[..<cut])
      for record in first.records { second.start.advance(past: record) }
      second.start.dropped = cut
      second.records = Array(whole.records[cut...])
      let runs = FlightRecording.joined([first, second])
      expectNoDifference(runs.count, 1)
      expectNoDifference(try events(.nonisolated, runs[0], speed: 10), expected)
    }
  }

  @Test("A participant that had ended before the start reports nothing more that counts")
  func endedParticipant() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let window = FlightSource(
      id: 1,
      name: "scenes",
      role: .participant("window"),
      phase: .terminated
    )
    var recording = recording(
      start: .background,
      FlightRecord(
        .input(FlightInput(.didBecomeActive, from: 1, suppressed: .terminated)),
        at: instant(5)
      )
    )
    recording.start.sources = [window]
    let connection = try bus.connect(.replay(recording))
    expectNoDifference(bus.phase, .background)
    clock.run()
    expectNoDifference(bus.phase, .background)
    withExtendedLifetime(connection) {}
  }

  @Test("The end of the recording ends the bus, and is reported once")
  func endOfTheRecording() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let ends = Counter()
    let recording = try recordedLife(end: .willTerminate).recording
    let source = FlightReplaySource.replay(recording, speed: 2) { ends.add() }
    let connection = try bus.connect(source)
    clock.advance(by: .seconds(64.9))
    #expect(bus.phase == .background && ends.count == 0)
    clock.advance(by: .seconds(0.1))
    #expect(bus.phase == .terminated && ends.count == 1)
    clock.run()
    expectNoDifference(ends.count, 1)
    withExtendedLifetime(connection) {}
  }

  @Test("The end comes with the last record, even if that is no report")
  func endAtTheLastRecord() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let ends = Counter()
    let recording = recording(
      FlightRecord(.input(FlightInput(.didBecomeActive, from: 0)), at: instant(5)),
      FlightRecord(.note("paid"), at: instant(9))
    )
    let source = FlightReplaySource.replay(recording) { ends.add() }
    let connection = try bus.connect(source)
    clock.advance(by: .seconds(8.9))
    #expect(bus.phase == .active && ends.count == 0)
    clock.advance(by: .seconds(0.1))
    expectNoDifference(ends.count, 1)
    clock.run()
    expectNoDifference(ends.count, 1)
    let sources = bus.diagnostics.participants.map { $0.sources.map(\.origin) }
    expectNoDifference(sources, [[.source("replay")]])
    withExtendedLifetime(connection) {}
  }

  @Test(
    "The end comes on the thread of the clock, never within the call that connects",
    arguments: [[], [.input(FlightInput(.didBecomeActive, from: 0))]] as [[FlightRecord.Content]]
  )
  func endAtOnce(_ contents: [FlightRecord.Content]) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let ends = Counter()
    var recording = recording()
    recording.records = contents.map { FlightRecord($0, at: instant(0)) }
    let source = FlightReplaySource.replay(recording) { ends.add() }
    let connection = try bus.connect(source)
    #expect(ends.count == 0 && clock.timerCount == 1)
    clock.run()
    expectNoDifference(ends.count, 1)
    withExtendedLifetime(connection) {}
  }

  @Test("A late report of a source that had left before the start moves nothing")
  func lateReport() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let late = FlightInput(.didBecomeActive, from: 7, suppressed: .disconnected)
    let recording = recording(start: .background, FlightRecord(.input(late), at: instant(5)))
    let connection = try bus.connect(.replay(recording))
    clock.run()
    expectNoDifference(bus.phase, .background)
    withExtendedLifetime(connection) {}
  }

  @Test("A report of a source whose introduction is damaged moves the bus")
  func damagedIntroduction() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recording = recording(
      FlightRecord(.input(FlightInput(.didBecomeActive, from: 7)), at: instant(5)),
      FlightRecord(.disconnected(source: 7), at: instant(6))
    )
    let connection = try bus.connect(.replay(recording))
    clock.run()
    expectNoDifference(bus.phase, .active)
    withExtendedLifetime(connection) {}
  }

  @Test("A cancelled replay sends nothing more, and keeps no timer")
  func cancelled() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let connection = try bus.connect(.replay(try recordedLife().recording))
    clock.advance(by: .seconds(15))
    expectNoDifference(bus.phase, .active)
    connection.cancel()
    expectNoDifference(clock.timerCount, 0)
    let phase = bus.phase
    clock.advance(by: .seconds(500))
    expectNoDifference(bus.phase, phase)
  }

  @Test("Any other speed is refused", arguments: [0, -1, .infinity, .nan, 1e-30] as [Double])
  func speedIsRefused(_ speed: Double) throws {
    let recording = try recordedLife().recording
    let error = #expect(throws: FlightReplayError.self) {
      try NonisolatedLifecycleBus(clock: clock).connect(.replay(recording, speed: speed))
    }
    expectNoDifference(error?.speed.bitPattern, speed.bitPattern)
    expectNoDifference(clock.timerCount, 0)
  }

  func recording(
    start phase: LifecyclePhase = .unknown,
    _ records: FlightRecord...
  ) -> FlightRecording {
    FlightRecording(
      process: .init(name: "app", id: 1),
      start: .init(at: instant(0), phase: phase),
      records: records
    )
  }

  func instant(_ seconds: Double) -> LifecycleInstant {
    LifecycleInstant(everyClock: .seconds(seconds))
  }
}
