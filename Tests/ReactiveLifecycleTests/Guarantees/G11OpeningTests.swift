import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G11 Time: openings")
struct G11OpeningTests {
  private let clock = ManualClock()
  private let trace = Trace()
  private let scope = LifecycleScope("openings")

  /// Traces the openings of a closure, and those of the stream.
  private func observe(_ bus: any LifecycleBusProtocol) {
    bus.onOpen(in: scope) { [trace] in trace(line($0)) }
    bus.openings.sink { [trace] in trace("stream: \(line($0))") }.store(in: scope)
  }

  @Test("The first opening counts from the launch", arguments: BusKind.allCases)
  func firstOpeningCountsFromLaunch(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    observe(bus)
    bus.send(.systemDidWake)
    clock.advance(by: .seconds(100))
    bus.send(.didFinishLaunching)
    clock.advance(by: .seconds(2))
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["first after 2 s", "stream: first after 2 s"])
  }

  @Test(
    "A process launched in the background and opened nine hours later was there for nine hours",
    arguments: BusKind.allCases
  )
  func launchedInBackground(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    observe(bus)
    bus.send(.didFinishLaunching)
    clock.advance(by: .seconds(1800))
    clock.sleepDevice(for: .seconds(30_600))
    clock.setWallClock(by: .seconds(-3600))
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["first after 32400 s", "stream: first after 32400 s"])
  }

  @Test("Each return is an opening, and has its stay", arguments: BusKind.allCases)
  func returnIsOpening(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    observe(bus)
    for seconds in [90, 0] {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(seconds))
      bus.send(.didBecomeActive)
      clock.advance(by: .seconds(7))
    }
    expectNoDifference(
      trace.lines,
      [
        "away 90 s after 90 s", "stream: away 90 s after 90 s",
        "away 0 s after 0 s", "stream: away 0 s after 0 s",
      ]
    )
  }

  @Test("An alert that makes the process inactive is no opening", arguments: BusKind.allCases)
  func inactivityIsNoOpening(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    observe(bus)
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive, .willEnterForeground)
    expectNoDifference(trace.lines, [])
  }

  @Test("An opening that sources report several times is one", arguments: BusKind.allCases)
  func repeatedReportsAreOneOpening(_ kind: BusKind) throws {
    let bus = kind.make(clock: clock)
    observe(bus)
    let sources = [TestSource("application"), TestSource("scene")]
    for source in sources { try bus.connect(source).store(in: scope) }
    for _ in 1...2 {
      for source in sources { source.feed.send(.willEnterForeground) }
      for source in sources { source.feed.send(.didBecomeActive) }
    }
    expectNoDifference(trace.lines, ["first after 0 s", "stream: first after 0 s"])
  }

  @Test(
    "A source that is connected late counts from what it finds",
    arguments: BusKind.allCases
  )
  func lateSource(_ kind: BusKind) throws {
    let bus = kind.make(clock: clock)
    observe(bus)
    clock.advance(by: .seconds(32_400))
    let source = TestSource()
    try bus.connect(source).store(in: scope)
    source.feed.send(.didFinishLaunching)
    clock.advance(by: .seconds(5))
    source.feed.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["first after 5 s", "stream: first after 5 s"])
  }

  @Test("The time is never negative, even if an input has an earlier instant than the launch")
  func earlierInstant() {
    let bus = LifecycleBus(clock: clock)
    observe(bus)
    let instant = clock.now
    clock.advance(by: .seconds(5))
    bus.send(.didFinishLaunching)
    bus.send(.willEnterForeground, at: instant)
    expectNoDifference(trace.lines, ["first after 0 s", "stream: first after 0 s"])
  }

  @Test("A screen's bus counts from its creation, then from when the screen disappeared")
  func childBus() {
    let application = LifecycleBus(clock: clock)
    application.send(.didBecomeActive)
    clock.advance(by: .seconds(1000))
    let screen = LifecycleBus(parent: application)
    observe(screen)
    clock.advance(by: .seconds(3))
    screen.send(.didBecomeActive)
    application.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    application.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "first after 3 s", "stream: first after 3 s",
        "away 60 s after 60 s", "stream: away 60 s after 60 s",
      ]
    )
  }

  @Test("The end of the scope ends it; the same id replaces it", arguments: BusKind.allCases)
  func endOfScope(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    for number in 1...2 {
      bus.onOpen(in: scope, id: "load") { [trace] in trace("\(number) \(line($0))") }
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["2 first after 0 s"])
    scope.end()
    bus.send(all: .didEnterBackground, .didBecomeActive)
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("Openings wait for demand, and keep the time that they had", arguments: BusKind.allCases)
  func streamWithDemand(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let subscriber = RawSubscriber<LifecycleOpening>(trace, demand: .max(1), describe: line)
    bus.openings.subscribe(subscriber)
    bus.send(.didBecomeActive)
    for seconds in [10, 20] {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(seconds))
      bus.send(.didBecomeActive)
    }
    expectNoDifference(trace.take(), ["subscription", "first after 0 s"])
    bus.send(.willTerminate)
    subscriber.request(1)
    expectNoDifference(trace.take(), ["away 10 s after 10 s"])
    subscriber.request(1)
    expectNoDifference(trace.lines, ["away 20 s after 20 s", "finished"])
  }

  @Test("A transcript has a line for each opening")
  func transcript() {
    let lifecycle = ScriptedLifecycle()
    let openings = LifecycleRecorder(lifecycle.bus.openings, of: lifecycle.bus)
    lifecycle.perform(
      .launch,
      .advance(by: .seconds(2)),
      .becomeActive,
      .background(for: .seconds(90))
    )
    expectLifecycle(
      openings,
      matches: """
          [2 s inactive] first opening after 2 s
          [92 s inactive] opening, away 90 s
        """
    )
  }
}

/// `first after 2 s`, or `away 90 s after 90 s`.
private func line(_ opening: LifecycleOpening) -> String {
  let start = opening.isFirst ? "first" : opening.stay?.description ?? "no stay"
  return "\(start) after \(opening.timeAway.components.seconds) s"
}
