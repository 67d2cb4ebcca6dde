import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("The flight recorder")
struct FlightRecorderTests {
  let clock = ManualClock()

  @Test("An input comes before the events that it causes")
  func inputsAndEvents() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let start = clock.now
    bus.send(.didBecomeActive, metadata: ["by": "test"])
    clock.advance(by: .seconds(2))
    bus.send(.didBecomeActive)
    bus.send(.systemDidWake)
    let recording = recorder.recording
    expectNoDifference(
      recording.lines,
      [
        "input didBecomeActive from 0 [(key: \"by\", value: \"test\")]",
        "event 1 didFinishLaunching unknown→background synthesized",
        "event 2 willEnterForeground background→inactive synthesized",
        "event 3 didBecomeActive inactive→active manual",
        "input didBecomeActive from 0, duplicate",
        "input systemDidWake from 0",
        "event 4 systemDidWake active→active manual",
      ]
    )
    expectNoDifference(
      recording.records.map { start.duration(to: $0.instant) },
      Array(repeating: .zero, count: 4) + Array(repeating: .seconds(2), count: 3)
    )
    expectNoDifference(recording.end, clock.now)
    expectNoDifference(FlightRecorder(of: bus).recording.end, clock.now)
  }

  @Test("A recorder has the version of the program, and each line the identifier of its run")
  func versionAndRun() throws {
    let bus = LifecycleBus(clock: clock)
    let (first, second) = (FlightRecorder(of: bus, version: "2.1"), FlightRecorder(of: bus))
    let directory = TemporaryDirectory()
    // Each record is in a file of its own.
    let writing = try first.write(to: directory.path("life"), rotatingAt: 1, keeping: 9)
    bus.send(.didBecomeActive)
    bus.send(.willTerminate)
    writing.cancel()
    let process = first.recording.process
    let run = try #require(process.run)
    expectNoDifference(process.version, "2.1")
    #expect(second.recording.process.run != run)
    expectNoDifference(second.recording.process.version, nil)
    #expect(directory.names.count > 4)
    for name in directory.names {
      expectNoDifference(try FlightFile(contentsOf: directory.path(name)).recordings.count, 1)
      for line in String(decoding: directory.bytes(name), as: UTF8.self).split(separator: "\n") {
        #expect(line.contains("\"run\":\"\(run)\""), "\(line)")
        expectNoDifference(
          line.contains("\"programVersion\":\"2.1\""),
          line.contains("\"format\"")
        )
      }
    }
  }

  @Test("A deadline that passes is recorded, with the observer that runs")
  func overrun() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let source = TestSource("system")
    let connection = try bus.connect(source)
    let scope = LifecycleScope("screen")
    bus.addObserver(for: .didFinishLaunching, in: scope, fileID: "App/List.swift", line: 12) { _ in
      _ = source.feed.noteOverrun(of: .systemDidWake)
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      recorder.recording.lines.last { $0.hasPrefix("overrun") },
      "overrun of systemDidWake in App/List.swift:12 (scope \"screen\")"
    )
    scope.end()
    connection.cancel()
  }

  // MARK: Sources

  @Test("Sources are recorded with their roles, parts, and phases")
  func sources() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let (app, lock) = (TestSource("app"), TestSource("lock"))
    let connection = try bus.connect(app)
    let second = try bus.connect(lock, as: .ceiling)
    app.feed.send(.didBecomeActive)
    let window = app.feed.part(as: .participant("window"))
    window.send(.willEnterForeground)
    lock.feed.send(.willResignActive)
    connection.cancel()
    connection.cancel()
    app.feed.send(.didBecomeActive)
    window.send(.didBecomeActive)
    let late = app.feed.part(as: .participant("window"))
    late.send(.didBecomeActive)
    expectNoDifference(
      recorder.recording.lines,
      [
        "connected 1 app as application, unknown",
        "connected 2 lock as ceiling, unknown",
        "input didBecomeActive from 1",
        "event 1 didFinishLaunching unknown→background synthesized",
        "event 2 willEnterForeground background→inactive synthesized",
        "event 3 didBecomeActive inactive→active source(app)",
        "connected 3 app as participant window, part of 1, unknown",
        "input willEnterForeground from 3, masked",
        "input willResignActive from 2",
        "event 4 willResignActive active→inactive source(lock)",
        "disconnected 1", "disconnected 3",
        "input didBecomeActive from 1, disconnected",
        "input didBecomeActive from 3, disconnected",
        "connected 4 app as participant window, part of 1, unknown", "disconnected 4",
        "input didBecomeActive from 4, disconnected",
      ]
    )
    withExtendedLifetime(second) {}
  }

  @Test("A child bus records the limit of its parent")
  func childBus() {
    let parent = LifecycleBus(clock: clock)
    let child = LifecycleBus(parent: parent)
    let recorder = FlightRecorder(of: child)
    expectNoDifference(
      recorder.recording.start.lines,
      ["background, program background, 0 dropped", "1 bus as ceiling, background"]
    )
    child.send(.didBecomeActive)
    parent.send(.didBecomeActive)
    expectNoDifference(
      recorder.recording.lines,
      [
        "input didBecomeActive from 0, masked",
        "input didFinishLaunching from 1, duplicate",
        "input willEnterForeground from 1",
        "event 2 willEnterForeground background→inactive source(bus)",
        "input didBecomeActive from 1",
        "event 3 didBecomeActive inactive→active source(bus)",
      ]
    )
  }

  // MARK: The end

  @Test("The end is recorded once, after the event that ends the bus")
  func end() {
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus!)
    let token = bus?.addObserver { _ in }
    bus?.send(all: .willTerminate, .willTerminate)
    let late = bus?.addObserver { _ in }
    bus = nil
    expectNoDifference(
      recorder.recording.lines,
      [
        "observer 1 added", "input willTerminate from 0",
        "event 1 willTerminate unknown→terminated manual", "ended", "observer 1 removed",
        "input willTerminate from 0, terminated",
      ]
    )
    withExtendedLifetime((token, late)) {}
  }

  @Test("The release of the bus is its end; a recorder does not prevent it")
  func release() throws {
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus!)
    let source = TestSource("source")
    let connection = try bus!.connect(source)
    let released = Weak(bus!)
    clock.advance(by: .seconds(1))
    bus = nil
    #expect(!released.isAlive)
    source.feed.send(.didBecomeActive)
    connection.cancel()
    expectNoDifference(
      recorder.recording.lines,
      [
        "connected 1 source as application, unknown", "ended",
        "input didBecomeActive from 1, terminated", "disconnected 1",
      ]
    )
    expectNoDifference(recorder.recording.records[1].instant, clock.now)
  }

  // MARK: Recorders

  @Test("A cancelled recorder keeps what it has")
  func cancellation() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    recorder.note("first")
    recorder.cancel()
    recorder.cancel()
    recorder.note("second")
    bus.send(.didBecomeActive)
    expectNoDifference(recorder.recording.lines, ["note first"])
  }

  @Test("A recorder that is released leaves the bus, also inside an observer")
  func releasedRecorder() {
    let bus = LifecycleBus(clock: clock)
    var recorder: FlightRecorder? = FlightRecorder(of: bus)
    weak let weakRecorder = recorder
    let token = bus.addObserver { _ in recorder = nil }
    bus.send(.didBecomeActive)
    #expect(weakRecorder == nil)
    withExtendedLifetime(token) {}
  }

  @Test("A recorder that is created inside an observer records what is accepted from then on")
  func createdInsideObserver() {
    let bus = LifecycleBus(clock: clock)
    var recorder: FlightRecorder?
    let token = bus.addObserver(for: .didFinishLaunching) { _ in
      recorder = FlightRecorder(of: bus)
    }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    // The path to `active` had been accepted.
    expectNoDifference(recorder?.recording.start.phase, .active)
    expectNoDifference(
      recorder?.recording.lines,
      [
        "input didEnterBackground from 0",
        "event 4 willResignActive active→inactive synthesized",
        "event 5 didEnterBackground inactive→background manual",
      ]
    )
    withExtendedLifetime(token) {}
  }

  @Test("The process is known by the name of its program, not by its path")
  func process() {
    let process = FlightRecorder(of: LifecycleBus(clock: clock)).recording.process
    #expect(!process.name.isEmpty && !process.name.contains("/"))
    #expect(process.id > 0)
    expectNoDifference(process.bootID, clock.bootID)
  }

  @Test("The disconnection of a source is followed by those of its parts, then by the events")
  func disconnectionOfParts() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    let scenes = TestSource("scenes")
    let connection = try bus.connect(scenes)
    scenes.feed.part(as: .participant("window")).send(.willEnterForeground)
    let count = recorder.recording.records.count
    connection.cancel()
    expectNoDifference(
      recorder.recording.lines.dropFirst(count),
      [
        "disconnected 1", "disconnected 2",
        "event 3 didEnterBackground inactive→background synthesized",
      ]
    )
  }
}
