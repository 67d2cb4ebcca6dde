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
  private func recordedLife() throws -> FlightRecorder {
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
    bus.send(.willTerminate)
    withExtendedLifetime(connections) {}
    return recorder
  }

  @Test("Ten times as fast: parts with their roles, ceilings, and a tenth of each stay")
  @MainActor
  func tenTimesAsFast() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = LifecycleRecorder(bus.events, of: bus)
    let connection = try bus.connect(.replay(recordedLife().recording, speed: 10))
    clock.run()
    withExtendedLifetime(connection) {}
    expectNoDifference(
      recorder.transcript.lines.map(\.description),
      [
        "  [0 s background] didFinishLaunching (from replay)",
        "  [1 s inactive] willEnterForeground (synthesized)",
        "  [1 s active] didBecomeActive (from replay) [scene: \"1\"]",
        "  [2 s inactive] willResignActive (from replay)",
        "  [3 s background] didEnterBackground (synthesized)",
        "  [13 s inactive] willEnterForeground (synthesized, away 10 s)",
        "  [13 s active] didBecomeActive (synthesized)",
        "  [13 s inactive] willResignActive (synthesized)",
        "  [13 s background] didEnterBackground (synthesized)",
        "  [13 s terminated] willTerminate (from replay)",
        "  [13 s terminated] completed",
      ]
    )
  }

  @Test(
    "A recording that starts in the middle of a life begins with its phase",
    arguments: LifecyclePhase.allCases
  )
  func startsInTheMiddle(_ phase: LifecyclePhase) throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let connection = try bus.connect(.replay(recording(start: phase)))
    expectNoDifference(bus.phase, phase)
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
    let recording = recording()
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

  @Test("Whole sources and the program report in the role of the connection, parts in their own")
  func roles() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let window = FlightSource(id: 2, name: "scenes", role: .participant("window"), whole: 1)
    let contents: [FlightRecord.Content] = [
      .connected(FlightSource(id: 1, name: "scenes")), .connected(window),
      .input(FlightInput(.didFinishLaunching, from: 0)),
      .input(FlightInput(.willEnterForeground, from: 1)),
      .input(FlightInput(.didBecomeActive, from: 2)),
    ]
    var recording = recording()
    recording.records = contents.map { FlightRecord($0, at: instant(0)) }
    let connection = try bus.connect(.replay(recording, name: "film"), as: .participant("device"))
    expectNoDifference(
      recorder.recording.lines.filter { !$0.hasPrefix("event") },
      [
        "connected 1 film as participant device, unknown",
        "connected 2 film as participant device, part of 1, unknown",
        "connected 3 film as participant window, part of 2, unknown",
        "input didFinishLaunching from 1", "input willEnterForeground from 2",
        "input didBecomeActive from 3",
      ]
    )
    withExtendedLifetime(connection) {}
  }

  @Test("A whole source that is disconnected leaves its last report, a part does not")
  func disconnections() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let contents: [FlightRecord.Content] = [
      .connected(FlightSource(id: 1, name: "signals")),
      .connected(FlightSource(id: 2, name: "scenes", role: .participant("window"))),
      .input(FlightInput(.willEnterForeground, from: 1)),
      .input(FlightInput(.didBecomeActive, from: 2)),
      .disconnected(source: 2),
      .disconnected(source: 1),
    ]
    var recording = recording()
    recording.records = contents.enumerated().map { FlightRecord($1, at: instant(Double($0))) }
    let connection = try bus.connect(.replay(recording))
    clock.advance(by: .seconds(3))
    expectNoDifference(bus.phase, .active)
    clock.advance(by: .seconds(1))
    expectNoDifference(bus.phase, .inactive)
    clock.run()
    expectNoDifference(bus.phase, .inactive)
    let participants = bus.diagnostics.participants
    expectNoDifference(participants.map(\.phase), [.inactive])
    expectNoDifference(participants.map(\.sources.count), [1])
    withExtendedLifetime(connection) {}
  }

  @Test("What becomes due while the device sleeps follows at its wake-up")
  func sleepDuringReplay() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .systemDidWake,
    ]
    var recording = recording()
    recording.records = zip(kinds, [1, 3, 5, 8]).map { kind, seconds in
      FlightRecord(.input(FlightInput(kind, from: 0)), at: instant(seconds))
    }
    let connection = try bus.connect(.replay(recording))
    clock.advance(by: .seconds(2))
    clock.sleepDevice(for: .seconds(4))
    clock.run()
    let start = recorder.recording.start.instant
    expectNoDifference(
      recorder.recording.records.compactMap(\.event).map { start.duration(to: $0.instant) },
      [.seconds(1), .seconds(6), .seconds(6), .seconds(8)]
    )
    withExtendedLifetime(connection) {}
  }

  @Test("An observer that cancels the replay receives nothing that is due at the same instant")
  func cancelledByObserver() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let kinds: [LifecycleEvent.Kind] = [.didFinishLaunching, .willEnterForeground]
    var recording = recording()
    recording.records = kinds.map {
      FlightRecord(.input(FlightInput($0, from: 0)), at: instant(5))
    }
    let connection = try bus.connect(.replay(recording))
    let token = bus.addObserver { _ in connection.cancel() }
    clock.run()
    expectNoDifference(bus.phase, .background)
    withExtendedLifetime(token) {}
  }
}
