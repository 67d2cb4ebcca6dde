import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Sources with roles whose threads must wait.
@MainActor
@Suite("Several sources: delivery with a deadline")
struct DeadlineAndRoleTests {
  private nonisolated static let farAway = ContinuousClock.Instant.now + .seconds(86_400)

  @Test("A ceiling's input has reached everybody when it returns", arguments: BusKind.allCases)
  func ceilingWaits(_ kind: BusKind) async throws {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    await awaitOtherThread {
      trace("\(lock.input.sendAndWait(.didEnterBackground, until: Self.farAway))")
      trace("\(lock.input.sendAndWait(.didEnterBackground, until: Self.farAway))")
    }
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background source(lock)",
        "finished",
        "suppressed (duplicate)",
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test("What is masked is not waited for", arguments: BusKind.allCases)
  func maskedIsNotWaitedFor(_ kind: BusKind) throws {
    let bus = kind.make()
    let lock = TestSource("lock")
    let window = TestSource("window")
    let connections = [
      try bus.connect(lock, as: .ceiling), try bus.connect(window, as: .participant("window")),
    ]
    lock.input.send(.didFinishLaunching)
    window.input.send(.didFinishLaunching)
    // The main actor is blocked here: a wait would last until the deadline.
    let outcome = onOtherThread {
      window.input.sendAndWait(.didBecomeActive, until: Self.farAway)
    }
    expectNoDifference(outcome, .suppressed(.masked))
    // It counted: what the ceiling lets through now is no repeat. The thread that tells of the
    // suppression may still have the right to deliver.
    #expect([.delivered, .queued].contains(lock.input.send(.didBecomeActive)))
    for connection in connections { connection.cancel() }
  }

  @Test(
    "Begun, an input counts at once; its end is told after its own observers",
    arguments: BusKind.allCases
  )
  func begunInputCountsAtOnce(_ kind: BusKind) async throws {
    let bus = kind.make()
    let trace = Trace()
    let window = TestSource("window")
    let lock = TestSource("lock")
    let connections = [
      try bus.connect(window, as: .participant("window")), try bus.connect(lock, as: .ceiling),
    ]
    lock.input.send(.willResignActive)
    let token = bus.addObserver { trace($0.line) }
    let suppressed = bus.suppressedInputs.sink { @Sendable in trace($0.line) }
    let gate = AsyncGate()
    let first = onOtherThread {
      window.input.send(.didFinishLaunching) { trace("launched") }
    }
    // A repeat by now, whether or not the first has been delivered.
    let second = onOtherThread {
      window.input.send(.didFinishLaunching) { trace("launched again") }
    }
    let third = onOtherThread {
      lock.input.send(.didEnterBackground) {
        trace("locked")
        gate.open()
      }
    }
    await gate.opened()
    expectNoDifference(
      [first, second, third],
      [.queued, .suppressed(.duplicate), .suppressed(.masked)]
    )
    expectNoDifference(
      trace.take(),
      [
        "3 didEnterBackground inactive→background synthesized",
        "launched",
        "didFinishLaunching duplicate source(window)",
        "launched again",
        "didEnterBackground masked source(lock)",
        "locked",
      ]
    )
    connections[0].cancel()
    expectNoDifference(
      window.input.send(.didBecomeActive) { trace("at once") },
      .suppressed(.disconnected)
    )
    #expect(trace.lines.contains("at once"))
    token.cancel()
    suppressed.cancel()
    connections[1].cancel()
  }
}
