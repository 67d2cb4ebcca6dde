import CustomDump
import LifecycleFlightRecording
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("The flight recorder")
struct FlightRecorderTests {
  let clock = ManualClock()

  // MARK: Inputs and events

  @Test("An input comes before the events that it causes", arguments: BusKind.allCases)
  func inputsAndEvents(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
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
    expectNoDifference(recording.records[3].event?.metadata, ["by": "test"])
    expectNoDifference(recording.end, clock.now)
    expectNoDifference(FlightRecorder(of: bus).recording.end, clock.now)
  }

  @Test("An input is recorded when it is accepted, not when it is delivered")
  func acceptance() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let trace = Trace()
    let token = bus.addObserver(for: .didFinishLaunching) { [weak bus] _ in
      bus?.send(.systemDidWake)
      trace(recorder.recording.lines.last ?? "")
    }
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["event 3 systemDidWake inactive→inactive manual"])
    withExtendedLifetime(token) {}
  }

  @Test("A record has the instant of its input on all clocks")
  func instants() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let instant = LifecycleInstant([.seconds(7), .seconds(5), .seconds(1_000)])
    bus.send(.willEnterForeground, at: instant)
    expectNoDifference(recorder.recording.records.map(\.instant), [instant, instant, instant])
  }

  @Test("An event carries its stay")
  func stay() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(all: .didBecomeActive, .didEnterBackground)
    clock.advance(by: .seconds(30))
    bus.send(.willEnterForeground)
    expectNoDifference(
      recorder.recording.records.last?.event?.backgroundStay?.duration,
      .seconds(30)
    )
  }

  // MARK: Sources

  @Test("Sources are recorded with their roles, parts, and phases", arguments: BusKind.allCases)
  func sources(_ kind: BusKind) throws {
    let bus = kind.make(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let (app, lock) = (FeedSource("app"), FeedSource("lock"))
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
        "connected 1 app as presence, unknown",
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

  @Test("The events of a disconnection follow it")
  func disconnection() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    let scene = FeedSource("scene")
    let connection = try bus.connect(scene, as: .participant("scene"))
    scene.feed.send(.willEnterForeground)
    let count = recorder.recording.records.count
    connection.cancel()
    expectNoDifference(
      recorder.recording.lines.dropFirst(count),
      ["disconnected 1", "event 3 didEnterBackground inactive→background synthesized"]
    )
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

  @Test("The end is recorded once, after the event that ends the bus", arguments: BusKind.allCases)
  func end(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make(clock: clock)
    let recorder = FlightRecorder(of: bus!)
    bus?.send(all: .willTerminate, .willTerminate)
    bus = nil
    expectNoDifference(
      recorder.recording.lines,
      [
        "input willTerminate from 0", "event 1 willTerminate unknown→terminated manual", "ended",
        "input willTerminate from 0, terminated",
      ]
    )
  }

  @Test("The release of the bus is its end; a recorder does not prevent it")
  func release() throws {
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus!)
    let source = FeedSource("source")
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
        "connected 1 source as presence, unknown", "ended",
        "input didBecomeActive from 1, terminated", "disconnected 1",
      ]
    )
    expectNoDifference(recorder.recording.records[1].instant, clock.now)
  }

  // MARK: Recorders

  @Test("Two recorders of a bus record the same")
  func twoRecorders() {
    let bus = LifecycleBus(clock: clock)
    let first = FlightRecorder(of: bus)
    let second = FlightRecorder(of: bus)
    let token = bus.addObserver { _ in }
    bus.send(.didBecomeActive)
    token.cancel()
    expectNoDifference(first.recording, second.recording)
    expectNoDifference(first.recording.records.count, 6)
    first.cancel()
    bus.send(.systemDidWake)
    expectNoDifference(first.recording.records.count, 6)
    expectNoDifference(second.recording.records.count, 8)
  }

  @Test("A recorder that is created later starts with the state of the bus")
  func laterStart() throws {
    let bus = LifecycleBus(clock: clock)
    let (scene, lock) = (FeedSource("scene"), FeedSource("lock"))
    let connections = try [
      bus.connect(scene, as: .participant("scene")), bus.connect(lock, as: .ceiling),
    ]
    bus.send(.didFinishLaunching)
    scene.feed.send(.didBecomeActive)
    lock.feed.send(.willResignActive)
    clock.advance(by: .seconds(3))
    let start = FlightRecorder(of: bus).recording.start
    expectNoDifference(
      start.lines,
      [
        "inactive, program background, 0 dropped",
        "1 scene as participant scene, active", "2 lock as ceiling, inactive",
      ]
    )
    expectNoDifference(start.instant, clock.now)
    withExtendedLifetime(connections) {}
  }

  @Test("A cancelled recorder keeps what it has, and the bus takes its usual ways again")
  func cancellation() {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    recorder.note("first")
    #expect(bus.takesSpecialWays)
    recorder.cancel()
    recorder.cancel()
    #expect(!bus.takesSpecialWays)
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
    #expect(!bus.takesSpecialWays)
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
}

extension LifecycleBusProtocol {
  /// Whether the bus does more than without a recorder.
  var takesSpecialWays: Bool {
    core.machine.withLock { $0.acceptsSpecially || $0.joinsSpecially }
      || core.instantForTaps != nil
  }
}
