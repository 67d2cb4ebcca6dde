import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
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
    expectNoDifference(bus.diagnostics.suppressedCounts[.duplicate, default: 0], 2)
    expectNoDifference(bus.diagnostics.suppressedCounts[.terminated, default: 0], 0)
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

  @Test("A suppressed input has its origin and its instant", arguments: BusKind.allCases)
  func originAndInstant(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource("scene")
    let connection = try bus.connect(source)
    let seen = Locked<[SuppressedInput]>([])
    let suppressed = bus.suppressedInputs.sink { input in seen.withLock { $0.append(input) } }
    source.feed.send(.didBecomeActive)
    clock.advance(by: .seconds(1))
    let second = clock.now
    source.feed.send(.didBecomeActive)
    clock.advance(by: .seconds(1))
    var third = clock.now
    third.timeSince1970 = .zero
    bus.send(.didBecomeActive, at: third)
    connection.cancel()
    expectNoDifference(
      source.feed.send(.didEnterBackground, at: second),
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
    expectNoDifference(bus.diagnostics.suppressedCounts[.disconnected, default: 0], 1)
  }

  @Test("What a source sends while it is stopped is suppressed", arguments: BusKind.allCases)
  func sendsWhileItIsStopped(_ kind: BusKind) throws {
    struct Talkative: LifecycleSource {
      let name: LifecycleSourceName = "talkative"
      let trace: Trace
      func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
        { [trace] in trace(feed.send(.didEnterBackground).line) }
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

  @Test("A repeat is a duplicate however late it comes", arguments: BusKind.allCases)
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

  @Test("Notices are never duplicates", arguments: BusKind.allCases)
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

  // MARK: Several sources

  @Test(
    "A repeat within a participant is a duplicate, whichever of its sources repeats",
    arguments: BusKind.allCases
  )
  func repeatWithinParticipantIsDuplicate(_ kind: BusKind) throws {
    let bus = kind.make()
    let sources = ["system", "delegate"].map { TestSource($0) }
    let connections = try sources.map { try bus.connect($0) }
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    for kind in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground] {
      for source in sources { trace(source.feed.send(kind).line) }
      trace(bus.send(kind).line)
    }
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background synthesized",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active source(system)",
        "delivered", "suppressed duplicate", "suppressed duplicate",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background source(system)",
        "delivered", "suppressed duplicate", "suppressed duplicate",
      ]
    )
    expectNoDifference(bus.diagnostics.suppressedCounts[.duplicate, default: 0], 4)
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test(
    "An input that moves its participant alone is masked, and counts later",
    arguments: BusKind.allCases
  )
  func maskedMoveIsNotForgotten(_ kind: BusKind) throws {
    let bus = kind.make()
    let (left, right) = (TestSource("left"), TestSource("right"))
    let connections = [
      try bus.connect(left, as: .participant("left")),
      try bus.connect(right, as: .participant("right")),
    ]
    let trace = Trace()
    let suppressed = bus.suppressedInputs.sink { trace($0.line) }
    left.feed.send(.didBecomeActive)
    expectNoDifference(right.feed.send(.willEnterForeground), .suppressed(.masked))
    expectNoDifference(right.feed.send(.willEnterForeground), .suppressed(.duplicate))
    expectNoDifference(left.feed.send(.didEnterBackground), .delivered)
    expectNoDifference(bus.diagnostics.suppressedCounts[.masked, default: 0], 1)
    // The right window was in the foreground all the time.
    expectNoDifference(bus.phase, .inactive)
    expectNoDifference(
      trace.lines,
      ["willEnterForeground masked source(right)", "willEnterForeground duplicate source(right)"]
    )
    suppressed.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("Notices are never masked", arguments: BusKind.allCases)
  func noticesAreNeverMasked(_ kind: BusKind) throws {
    let bus = kind.make()
    let lock = TestSource("lock")
    let window = TestSource("window")
    let connections = [
      try bus.connect(lock, as: .ceiling), try bus.connect(window, as: .participant("window")),
    ]
    lock.feed.send(.didFinishLaunching)
    window.feed.send(.willTerminate)
    for _ in 0..<2 {
      #expect(window.feed.send(.systemDidWake) == .delivered)
      #expect(lock.feed.send(.systemDidWake) == .delivered)
    }
    for connection in connections { connection.cancel() }
    expectNoDifference(window.feed.send(.systemDidWake), .suppressed(.disconnected))
  }

  @Test("A source cancelled while it sends leaves no phase behind", arguments: BusKind.allCases)
  func racingCancel(_ kind: BusKind) async throws {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    for _ in 0..<150 {
      let window = TestSource("window")
      let lock = TestSource("lock")
      let connections = [
        try bus.connect(window, as: .participant("window")), try bus.connect(lock, as: .ceiling),
      ]
      let outcomes = Collector<LifecycleSendResult>()
      await awaitOtherThreads(1 + connections.count) { thread in
        guard thread == 0 else { return connections[thread - 1].cancel() }
        for kind in PhaseOracle.transitions.dropLast() {
          outcomes(window.feed.send(kind))
          outcomes(lock.feed.send(kind))
        }
      }
      await mainQueueToDrain()
      #expect(bus.phase == .background)
      #expect(bus.diagnostics.participants.map(\.name) == [.application])
      #expect(bus.diagnostics.ceilings.isEmpty)
      #expect(outcomes.values.count == 10)
    }
    // Nothing that they said holds the bus back.
    #expect(bus.send(.didBecomeActive) != .suppressed(.masked))
    await mainQueueToDrain()
    expectNoDifference(bus.phase, .active)
  }
}
