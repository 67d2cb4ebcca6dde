import CustomDump
import Foundation
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G2 No double fire: several sources")
struct G02SeveralSourcesTests {
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
      for source in sources { trace(source.input.send(kind).line) }
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
    expectNoDifference(bus.suppressedCount(.duplicate), 4)
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test(
    "What moves its participant but not the bus is masked, and not forgotten",
    arguments: BusKind.allCases
  )
  func maskedMoveIsNotForgotten(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let windows: [TestSource] = [TestSource("left"), TestSource("right")]
    let connections = [
      try bus.connect(windows[0], as: .participant("left")),
      try bus.connect(windows[1], as: .participant("right")),
    ]
    let inputs = Collector<SuppressedInput>()
    let suppressed = bus.suppressedInputs.sink { inputs($0) }
    windows[0].input.send(.didBecomeActive)
    clock.advance(by: .seconds(1))
    let instant = clock.now
    expectNoDifference(windows[1].input.send(.willEnterForeground), .suppressed(.masked))
    expectNoDifference(windows[1].input.send(.willEnterForeground), .suppressed(.duplicate))
    clock.advance(by: .seconds(1))
    expectNoDifference(windows[0].input.send(.didEnterBackground), .delivered)
    // The right window was in the foreground all the time.
    expectNoDifference(bus.phase, .inactive)
    expectNoDifference(
      inputs.values,
      [
        SuppressedInput(
          kind: .willEnterForeground,
          reason: .masked,
          origin: .source("right"),
          instant: instant
        ),
        SuppressedInput(
          kind: .willEnterForeground,
          reason: .duplicate,
          origin: .source("right"),
          instant: instant
        ),
      ]
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
    lock.input.send(.didFinishLaunching)
    window.input.send(.willTerminate)
    for _ in 0..<2 {
      #expect(window.input.send(.systemDidWake) == .delivered)
      #expect(lock.input.send(.systemDidWake) == .delivered)
    }
    for connection in connections { connection.cancel() }
    expectNoDifference(window.input.send(.systemDidWake), .suppressed(.disconnected))
  }

  @Test(
    "A resume from one source and a suspend from the other can't get the bus stuck",
    arguments: BusKind.allCases
  )
  func neverStuck(_ kind: BusKind) throws {
    let bus = kind.make()
    let sources = ["one", "other"].map { TestSource($0) }
    let connections = try sources.map { try bus.connect($0) }
    let words: [(LifecycleEvent.Kind, LifecyclePhase)] = [
      (.didBecomeActive, .active), (.willResignActive, .inactive),
      (.didEnterBackground, .background), (.willEnterForeground, .inactive),
    ]
    // The latest legal word wins, whoever says it: every pair of words, by every pair of sources.
    for (first, afterFirst) in words {
      for (second, afterSecond) in words {
        for (one, other) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
          bus.send(.didBecomeActive)
          bus.send(.didEnterBackground)
          for (source, kind, after) in [(one, first, afterFirst), (other, second, afterSecond)] {
            let before = bus.phase
            let outcome = sources[source].input.send(kind)
            let isUpward = kind == .didBecomeActive || kind == .willEnterForeground
            let expected = isUpward ? max(before, after) : min(before, after)
            #expect(bus.phase == expected)
            #expect(outcome == (before == expected ? .suppressed(.duplicate) : .delivered))
          }
        }
      }
    }
    for connection in connections { connection.cancel() }
  }

  @Test("A send that races a cancel never leaves a say behind", arguments: BusKind.allCases)
  func racingCancel(_ kind: BusKind) async throws {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    for _ in 0..<150 {
      let window = TestSource("window")
      let lock = TestSource("lock")
      let connections = [
        try bus.connect(window, as: .participant("window")), try bus.connect(lock, as: .ceiling),
      ]
      let outcomes = Collector<LifecycleSendOutcome>()
      await awaitOtherThreads(1 + connections.count) { thread in
        guard thread == 0 else { return connections[thread - 1].cancel() }
        for kind in PhaseOracle.transitions.dropLast() {
          outcomes(window.input.send(kind))
          outcomes(lock.input.send(kind))
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
