import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G2 No double fire")
struct G02NoDoubleFireTests {
  @Test("A repeat is suppressed, counted and published", arguments: BusKind.allCases)
  func repeatIsSuppressed(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    let suppressed = bus.suppressedInputs.sink { trace($0.line) }
    expectNoDifference(bus.send(.didFinishLaunching), .delivered)
    expectNoDifference(bus.send(.didFinishLaunching), .suppressed(.duplicate))
    expectNoDifference(bus.send(.didEnterBackground), .suppressed(.duplicate))
    expectNoDifference(bus.suppressedCount(.duplicate), 2)
    expectNoDifference(bus.suppressedCount(.terminated), 0)
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching",
        "didFinishLaunching duplicate manual",
        "didEnterBackground duplicate manual",
      ]
    )
    token.cancel()
    suppressed.cancel()
  }

  @Test("What comes after the end is suppressed as terminated", arguments: BusKind.allCases)
  func afterTheEnd(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let suppressed = bus.suppressedInputs.sink { trace($0.line) }
    bus.send(.willTerminate)
    expectNoDifference(bus.send(.willTerminate), .suppressed(.terminated))
    expectNoDifference(bus.send(.didBecomeActive), .suppressed(.terminated))
    expectNoDifference(bus.send(.didReceiveMemoryWarning), .suppressed(.terminated))
    expectNoDifference(bus.suppressedCount(.terminated), 3)
    expectNoDifference(
      trace.lines,
      [
        "willTerminate terminated manual",
        "didBecomeActive terminated manual",
        "didReceiveMemoryWarning terminated manual",
      ]
    )
    suppressed.cancel()
  }

  @Test("A suppressed input has its origin and its instant", arguments: BusKind.allCases)
  func originAndInstant(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource("scene")
    let connection = try bus.connect(source)
    let seen = Locked<[SuppressedInput]>([])
    let suppressed = bus.suppressedInputs.sink { input in seen.withLock { $0.append(input) } }
    source.input.send(.didBecomeActive)
    clock.advance(by: .seconds(1))
    let second = clock.now
    source.input.send(.didBecomeActive)
    clock.advance(by: .seconds(1))
    var third = clock.now
    third.timeSince1970 = .zero
    bus.send(.didBecomeActive, at: third)
    connection.cancel()
    expectNoDifference(
      source.input.send(.didEnterBackground, at: second),
      .suppressed(.disconnected)
    )
    suppressed.cancel()
    expectNoDifference(
      seen.withLock { $0 },
      [
        SuppressedInput(
          kind: .didBecomeActive,
          reason: .duplicate,
          origin: .source("scene"),
          instant: second
        ),
        SuppressedInput(
          kind: .didBecomeActive,
          reason: .duplicate,
          origin: .manual,
          instant: third
        ),
        SuppressedInput(
          kind: .didEnterBackground,
          reason: .disconnected,
          origin: .source("scene"),
          instant: second
        ),
      ]
    )
    expectNoDifference(bus.suppressedCount(.disconnected), 1)
  }

  @Test("What a source sends while it is stopped is suppressed", arguments: BusKind.allCases)
  func sendsWhileItIsStopped(_ kind: BusKind) throws {
    struct Talkative: LifecycleSource {
      let name: LifecycleSourceName = "talkative"
      let trace: Trace
      func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
        { [trace] in trace(input.send(.didEnterBackground).line) }
      }
    }
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    let connection = try bus.connect(Talkative(trace: trace))
    connection.cancel()
    expectNoDifference(trace.lines, ["suppressed disconnected"])
    expectNoDifference(bus.phase, .unknown)
    token.cancel()
  }

  @Test("The accepted phase decides, not the delivered one", arguments: BusKind.allCases)
  func acceptedPhaseDecides(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver(for: [.didBecomeActive]) { [unowned bus] _ in
      trace("\(bus.phase)")
      trace(bus.send(.didEnterBackground).line)
      // Accepted, not delivered yet: the repeat is one all the same.
      trace(bus.send(.didEnterBackground).line)
      trace(bus.send(.willEnterForeground).line)
      trace("\(bus.phase)")
    }
    bus.send(.didBecomeActive)
    token.cancel()
    expectNoDifference(
      trace.lines,
      ["active", "queued", "suppressed duplicate", "queued", "active"]
    )
    expectNoDifference(bus.phase, .inactive)
  }

  @Test("Time plays no part", arguments: BusKind.allCases)
  func timePlaysNoPart(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(86_400))
    expectNoDifference(bus.send(.didBecomeActive), .suppressed(.duplicate))
    // In one and the same instant, and yet no repeats.
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive, .didBecomeActive)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching", "2 willEnterForeground", "3 didBecomeActive",
        "4 willResignActive", "5 didBecomeActive", "6 willResignActive", "7 didBecomeActive",
      ]
    )
  }

  @Test("A second entry into the background does not restart the stay", arguments: BusKind.allCases)
  func firstInstantStands(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let stays = bus.backgroundStays.sink { trace("\($0.duration)") }
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(30))
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(30))
    bus.send(.willEnterForeground)
    stays.cancel()
    expectNoDifference(trace.lines, ["90.0 seconds"])
  }

  @Test("Notices are never repeats", arguments: BusKind.allCases)
  func noticesAreNeverRepeats(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    for _ in 1...3 { expectNoDifference(bus.send(.didReceiveMemoryWarning), .delivered) }
    bus.send(.didFinishLaunching)
    for _ in 1...2 { expectNoDifference(bus.send("documentDidSave"), .delivered) }
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didReceiveMemoryWarning unknown→unknown manual",
        "2 didReceiveMemoryWarning unknown→unknown manual",
        "3 didReceiveMemoryWarning unknown→unknown manual",
        "4 didFinishLaunching unknown→background manual",
        "5 documentDidSave background→background manual",
        "6 documentDidSave background→background manual",
      ]
    )
  }

  @Test("Two sources and the program report one return", arguments: BusKind.allCases)
  func oneReturnReportedThreeTimes(_ kind: BusKind) throws {
    let bus = kind.make()
    let system = TestSource("system")
    let delegate = TestSource("delegate")
    let connections = [try bus.connect(system), try bus.connect(delegate)]
    bus.send(.didEnterBackground)
    let trace = Trace()
    let scope = LifecycleScope()
    bus.addObserver(for: [.willEnterForeground], in: scope) { trace($0.line) }
    bus.onReturn(in: scope) { _ in trace("return") }
    system.input.send(.willEnterForeground)
    delegate.input.send(.willEnterForeground)
    bus.send(.willEnterForeground)
    expectNoDifference(
      trace.lines,
      ["4 willEnterForeground background→inactive source(system)", "return"]
    )
    expectNoDifference(bus.suppressedCount(.duplicate), 2)
    for connection in connections { connection.cancel() }
    scope.end()
  }
}
