import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G11 Time")
struct G11TimeTests {
  nonisolated private func line(_ stay: BackgroundStay?) -> String {
    guard let stay else { return "no stay" }
    return """
      \(stay.duration.components.seconds) s, \(stay.timeAsleep.components.seconds) asleep, \
      \(stay.wallClockShift.components.seconds) shifted
      """
  }

  @Test("A stay counts sleep, and knows how the wall clock was moved", arguments: BusKind.allCases)
  func threeClocks(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let stays = LifecycleRecorder(lifecycle.bus.backgroundStays, of: lifecycle.bus)
    for shift in [0, -3600, 86_400] {
      lifecycle.perform(
        .enterBackground,
        .advance(by: .seconds(30)),
        .sleepDevice(for: .seconds(60)),
        .setWallClock(by: .seconds(shift)),
        .enterForeground
      )
    }
    expectLifecycle(
      stays,
      matches: """
          [90 s inactive] away 90 s, asleep 60 s
          [180 s inactive] away 90 s, asleep 60 s, clock set by -3600 s
          [270 s inactive] away 90 s, asleep 60 s, clock set by 86400 s
        """
    )
  }

  @Test("The first foreground after the launch has no stay", arguments: BusKind.allCases)
  func firstForeground(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let token = bus.addObserver(for: [.willEnterForeground]) { [self] in
      trace(line($0.backgroundStay))
    }
    let form = LifecycleScope()
    bus.onReturn(in: form) { _ in trace("return") }
    bus.send(.didFinishLaunching)
    clock.advance(by: .seconds(60))
    bus.send(.willEnterForeground)
    token.cancel()
    expectNoDifference(trace.lines, ["no stay"])
  }

  @Test(
    "A stay rides on willEnterForeground, synthesized or not, and on nothing else",
    arguments: BusKind.allCases
  )
  func whereStaysRide(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let token = bus.addObserver { [self] in
      trace("\($0.kind) \($0.origin): \(line($0.backgroundStay))")
    }
    // From unknown: the foreground that must have been is the first, and has no stay.
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(1))
    bus.send(.systemDidWake)
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(2))
    bus.send(.willEnterForeground)
    bus.send(.willTerminate)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching synthesized: no stay",
        "willEnterForeground synthesized: no stay",
        "didEnterBackground manual: no stay",
        "systemDidWake manual: no stay",
        "willEnterForeground synthesized: 1 s, 0 asleep, 0 shifted",
        "didBecomeActive manual: no stay",
        "willResignActive synthesized: no stay",
        "didEnterBackground manual: no stay",
        "willEnterForeground manual: 2 s, 0 asleep, 0 shifted",
        "didEnterBackground synthesized: no stay",
        "willTerminate manual: no stay",
      ]
    )
  }

  @Test(
    "The instants of the inputs count, not when they were delivered",
    arguments: BusKind.allCases
  )
  func instantsOfInputs(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    bus.send(.didBecomeActive)
    let left = clock.now
    // A source that settles for ten seconds reports late, with the instant when it began.
    clock.advance(by: .seconds(10))
    source.input.send(.didEnterBackground, at: left)
    clock.advance(by: .seconds(10))
    let returned = clock.now
    clock.advance(by: .seconds(10))
    bus.send(.willEnterForeground, at: returned)
    connection.cancel()
    expectLifecycle(stays, matches: "  [30 s inactive] away 20 s")
  }

  @Test("A hop does not change a duration")
  func hopDoesNotCount() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    onOtherThread {
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(5))
      bus.send(.willEnterForeground)
    }
    clock.advance(by: .seconds(500))
    await mainQueueToDrain()
    expectLifecycle(stays, matches: "  [505 s inactive] away 5 s")
  }

  @Test(
    "Durations are never negative, whatever instants a source names",
    arguments: BusKind.allCases
  )
  func oddInstants(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let stays = LifecycleRecorder(bus.backgroundStays, of: bus)
    let now = clock.now
    bus.send(.didEnterBackground, at: now)
    var earlier = now
    earlier.continuous -= .seconds(10)
    bus.send(.willEnterForeground, at: earlier)
    bus.send(.didEnterBackground, at: now)
    // The suspending clock went on longer than the continuous one: impossible, and harmless.
    var odd = now
    odd.continuous += .seconds(10)
    odd.timeAwake += .seconds(20)
    odd.timeSince1970 += .seconds(10)
    bus.send(.willEnterForeground, at: odd)
    expectLifecycle(
      stays,
      matches: """
          [0 s inactive] away 0 s, clock set by 10 s
          [0 s inactive] away 10 s
        """
    )
  }

  @Test(
    "Without an instant of its own, an input happens now on the bus's clock",
    arguments: BusKind.allCases
  )
  func nowOfTheClock(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let seen = Locked<[LifecycleInstant]>([])
    let token = bus.addObserver { event in seen.withLock { $0.append(event.instant) } }
    bus.send(.systemDidWake)
    let first = clock.now
    clock.sleepDevice(for: .seconds(7))
    bus.send(.systemDidWake)
    token.cancel()
    expectNoDifference(seen.withLock { $0 }, [first, clock.now])
  }

  // MARK: capturing

  @Test("What is captured on the way out is handed back on the return", arguments: BusKind.allCases)
  func captureOnWayOutIsHandedBackOnReturn(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let scope = LifecycleScope()
    let position = Locked(1)
    let first = bus.addObserver { trace("before \($0.kind)") }
    bus.onReturn(in: scope) {
      trace("capture")
      return position.withLock { $0 }
    } using: { [self] stay, position in
      trace("return, \(line(stay)), position \(position.map(String.init) ?? "nil")")
    }
    let last = bus.addObserver { trace("after \($0.kind)") }
    bus.send(.didEnterBackground)
    position.withLock { $0 = 2 }
    clock.advance(by: .seconds(3))
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    first.cancel()
    last.cancel()
    expectNoDifference(
      trace.lines,
      [
        "before didFinishLaunching", "after didFinishLaunching",
        "before willEnterForeground", "after willEnterForeground",
        "after didEnterBackground", "capture", "before didEnterBackground",
        "before willEnterForeground", "return, 3 s, 0 asleep, 0 shifted, position 1",
        "after willEnterForeground",
        "after didEnterBackground", "capture", "before didEnterBackground",
        "before willEnterForeground", "return, 0 s, 0 asleep, 0 shifted, position 2",
        "after willEnterForeground",
      ]
    )
    scope.end()
  }

  @Test("One that joined in the background has captured nothing", arguments: BusKind.allCases)
  func joinedInBackground(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.send(.didEnterBackground)
    bus.onReturn(in: scope, capturing: { 1 }) { _, captured in
      trace("return with \(String(describing: captured))")
    }
    bus.onReturn(in: scope) { _ in trace("return") }
    bus.send(.willEnterForeground)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      trace.lines,
      ["return with nil", "return", "return with Optional(1)", "return"]
    )
    scope.end()
  }

  @Test("What was captured is released after its return", arguments: BusKind.allCases)
  func capturedIsReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    bus.onReturn(in: scope) {
      Canary { trace("released") }
    } using: { _, _ in
      trace("return")
    }
    bus.send(all: .didEnterBackground, .didBecomeActive, .systemDidWake)
    expectNoDifference(trace.take(), ["return", "released"])
    bus.send(.didEnterBackground)
    scope.end()
    expectNoDifference(trace.lines, ["released"])
  }
}
