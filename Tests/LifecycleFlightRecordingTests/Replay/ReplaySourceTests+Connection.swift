import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension ReplaySourceTests {
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

  @Test("A recording that starts after the end of its life ends the bus")
  func startsAfterTheEnd() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let connection = try bus.connect(.replay(recording(start: .terminated)))
    expectNoDifference(bus.phase, .terminated)
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
