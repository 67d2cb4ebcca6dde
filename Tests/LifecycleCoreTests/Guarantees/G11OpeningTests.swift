import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
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

  @Test(
    "An opening nine hours after a launch in the background has that time",
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

  @Test("Each return is an opening with its stay", arguments: BusKind.allCases)
  func returnIsOpening(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    observe(bus)
    _ = trace.take()
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

  @Test("The time of an opening before the launch is zero")
  func earlierInstant() {
    let bus = LifecycleBus(clock: clock)
    observe(bus)
    let instant = clock.now
    clock.advance(by: .seconds(5))
    bus.send(.didFinishLaunching)
    bus.send(.willEnterForeground, at: instant)
    expectNoDifference(trace.lines, ["first after 0 s", "stream: first after 0 s"])
  }

  @Test("The openings of a screen's bus count from its creation and its disappearance")
  func childBus() {
    let application = LifecycleBus(clock: clock)
    application.send(.didBecomeActive)
    clock.advance(by: .seconds(1000))
    let screen = LifecycleBus(parent: application)
    observe(screen)
    screen.onOpen(at: .active, in: scope) { [trace] in trace("active: \(line($0))") }
    clock.advance(by: .seconds(3))
    application.send(.willResignActive)
    screen.send(.didBecomeActive)
    for _ in 1...2 { application.send(all: .didBecomeActive, .willResignActive) }
    application.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    application.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      [
        "first after 3 s", "stream: first after 3 s", "active: first after 3 s",
        "away 60 s after 60 s", "stream: away 60 s after 60 s", "active: away 60 s after 60 s",
      ]
    )
  }

  @Test(
    "At the first activation, an opening has its stay, and other activations are none",
    arguments: BusKind.allCases
  )
  func firstActivation(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    bus.onOpen(at: .active, in: scope) { [trace] in trace("\($0.number) \(line($0))") }
    bus.onReturn(at: .active, in: scope) { [trace] in trace("\($0)") }
    bus.onReturn(at: .active, in: scope, capturing: { [clock] in clock.now.timeAwake }) {
      [trace, clock] stay, left in
      let seconds = (clock.now.timeAwake - (left ?? .zero)).components.seconds
      trace("\(stay), left \(seconds) s ago")
    }
    func send(_ kind: LifecycleEvent.Kind, after seconds: Int) {
      clock.advance(by: .seconds(seconds))
      bus.send(kind)
    }
    bus.send(.willEnterForeground)
    send(.didBecomeActive, after: 1)
    expectNoDifference(trace.take(), ["1 first after 0 s"])
    // A permission alert, then a visit that ends before it is active.
    for step in [.willResignActive, .didBecomeActive, .didEnterBackground] as [LifecycleEvent.Kind]
    {
      send(step, after: 1)
    }
    send(.willEnterForeground, after: 20)
    send(.didEnterBackground, after: 1)
    send(.willEnterForeground, after: 90)
    expectNoDifference(trace.take(), [])
    send(.didBecomeActive, after: 1)
    expectNoDifference(
      trace.take(),
      ["3 away 90 s after 90 s", "away 90 s", "away 90 s, left 91 s ago"]
    )
  }

  @Test("The observer's first opening is received after any time, others after the least time away")
  func leastTimeAway() {
    let bus = LifecycleBus(clock: clock)
    let (owner, least) = (UnsharedOwner(), Duration.seconds(60))
    bus.onOpen(after: least, in: scope) { [trace] in trace("open: \(line($0))") }
    bus.onOpen(owner, after: least, at: .active) { [trace] in trace("owner's: \(line($1))") }
    bus.onReturn(after: least, in: scope) { [trace] in trace("return: \($0)") }
    bus.onReturn(owner, after: least, at: .active) { [trace] in trace("owner's return: \($1)") }
    bus.onReturn(after: least, in: scope, capturing: {}) { [trace] stay, _ in
      trace("captured: \(stay)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["open: first after 0 s", "owner's: first after 0 s"])
    for seconds in [59, 60] {
      bus.onOpen(after: least, in: scope, id: "late") { [trace] in trace("late: \(line($0))") }
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(seconds))
      bus.send(.didBecomeActive)
    }
    bus.onOpen(after: least, in: scope, id: "late") { [trace] in trace("late: \(line($0))") }
    let opening = "away 60 s after 60 s"
    expectNoDifference(
      trace.lines,
      [
        "late: first after 0 s",
        "late: away 59 s after 59 s",
        "open: \(opening)", "return: away 60 s", "captured: away 60 s",
        "late: \(opening)",
        "owner's: \(opening)", "owner's return: away 60 s",
        "late: \(opening)",
      ]
    )
  }

  @Test(
    "A late observer receives the opening under way whatever its time away is",
    arguments: BusKind.allCases
  )
  func lateObserver(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let least = Duration.seconds(60)
    func stay(for seconds: Int) {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(seconds))
      bus.send(.willEnterForeground)
    }
    bus.send(.willEnterForeground)
    stay(for: 30)
    bus.onOpen(after: least, in: scope) { [trace] in trace("\($0.number)") }
    bus.onOpen(after: least, at: .active, in: scope) { [trace] in trace("\($0.number) active") }
    bus.onOpen(after: least, in: scope, initial: false) { [trace] in trace("\($0.number) later") }
    expectNoDifference(trace.take(), ["2"])
    // It ends before it is active.
    stay(for: 30)
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["3 active"])
    stay(for: 30)
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), [])
    stay(for: 60)
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["5", "5 later", "5 active"])
  }

  @Test("Openings wait for demand, and keep their time", arguments: BusKind.allCases)
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

  @Test("A recorder transcribes each opening in a line")
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

/// Stays are exact under repeats, missing events, clock changes in either direction, sleep and stops.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter G11RandomStays` runs that seed
/// alone.
@MainActor
@Suite("G11 Time: random stays")
struct G11RandomStaysTests {
  /// Adds up what was done to the clocks since the first input that led into the background.
  private struct Oracle {
    enum Stage { case unknown, launched, foreground, away }

    var stage = Stage.unknown
    var (duration, asleep, shift) = (0, 0, 0)
    var stays: [String] = []

    mutating func send(_ kind: LifecycleEvent.Kind) {
      switch (kind, stage) {
      case (.didFinishLaunching, .unknown): stage = .launched
      case (.willResignActive, .unknown): stage = .foreground
      case (.didEnterBackground, .unknown), (.didEnterBackground, .foreground):
        stage = .away
        (duration, asleep, shift) = (0, 0, 0)
      case (.willEnterForeground, _), (.didBecomeActive, _):
        if stage == .away { stays.append("\(duration) \(asleep) \(shift)") }
        stage = .foreground
      default: break
      }
    }
  }

  private enum Action {
    case send(LifecycleEvent.Kind, late: Int)
    case advance(Int), sleep(Int), stop(Int), setWallClock(Int)
  }

  private func line(_ stay: BackgroundStay) -> String {
    let parts = [stay.timeAway, stay.timeAsleep, stay.wallClockShift]
    return parts.map { part in
      let (seconds, attoseconds) = part.components
      return "\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)"
    }.joined(separator: " ")
  }

  private func randomAction(_ generator: inout Generator) -> Action {
    let kinds = PhaseOracle.transitions.dropLast() + [.systemDidWake, .significantTimeChange]
    func time(upTo seconds: Int) -> Int {
      generator.next(below: seconds) * 1_000_000_000 + generator.next(below: 1_000_000_000)
    }
    let nanoseconds = generator.next(below: 4) == 0 ? 0 : time(upTo: 100)
    switch generator.next(below: 9) {
    case 0...4:
      // One in four is reported late, with the instant at which it happened.
      let late = generator.next(below: 4) == 0 ? nanoseconds : 0
      return .send(kinds[generator.next(below: kinds.count)], late: late)
    case 5: return .advance(nanoseconds)
    case 6: return .sleep(nanoseconds)
    case 7: return .stop(nanoseconds)
    default: return .setWallClock(time(upTo: 20_000) - 10_000_000_000_000)
    }
  }

  private func perform(
    _ action: Action,
    _ bus: any LifecycleBusProtocol,
    _ clock: ManualClock,
    _ oracle: inout Oracle
  ) {
    switch action {
    case .send(let kind, 0):
      bus.send(kind)
      oracle.send(kind)
    case .send(let kind, let late):
      let instant = clock.now
      clock.advance(by: .nanoseconds(late))
      bus.send(kind, at: instant)
      oracle.send(kind)
      oracle.duration += late
    case .advance(let time):
      clock.advance(by: .nanoseconds(time))
      oracle.duration += time
    case .sleep(let time):
      clock.sleepDevice(for: .nanoseconds(time))
      oracle.duration += time
      oracle.asleep += time
    case .stop(let time):
      clock.stopProcess(for: .nanoseconds(time))
      oracle.duration += time
    case .setWallClock(let shift):
      clock.setWallClock(by: .nanoseconds(shift))
      oracle.shift += shift
    }
  }

  @Test("Stays in random scripts are exact to the nanosecond")
  func randomScripts() {
    let seeds = seeds(2_000)
    var (failures, count) = (0, 0)
    for seed in seeds where failures < 3 {
      for kind in seeds.count > 1 ? [BusKind.allCases[Int(seed % 2)]] : BusKind.allCases {
        var generator = Generator(seed, 0, 0)
        let clock = ManualClock()
        let bus = kind.make(clock: clock)
        let stays = Collector<BackgroundStay>()
        let ridden = Collector<BackgroundStay>()
        let subscription = bus.backgroundStays.sink { stays($0) }
        let token = bus.addObserver { $0.backgroundStay.map { ridden($0) } }
        var oracle = Oracle()
        var actions: [Action] = []
        for _ in 0..<60 {
          actions.append(randomAction(&generator))
          perform(actions[actions.count - 1], bus, clock, &oracle)
        }
        subscription.cancel()
        token.cancel()
        count += oracle.stays.count
        let isPossible = stays.values.allSatisfy {
          .zero <= $0.timeAsleep && $0.timeAsleep <= $0.timeAway
        }
        if isPossible, ridden.values == stays.values, stays.values.map(line) == oracle.stays {
          continue
        }
        failures += 1
        expectNoDifference(
          stays.values.map(line),
          oracle.stays,
          "LIFECYCLE_SEED=\(seed), \(kind.testDescription): \(actions)"
        )
        expectNoDifference(ridden.values, stays.values, "LIFECYCLE_SEED=\(seed)")
        #expect(isPossible, "LIFECYCLE_SEED=\(seed)")
      }
    }
    if seeds.count > 1, failures == 0 { #expect(count > 4_000, "there are hardly any stays") }
  }
}
