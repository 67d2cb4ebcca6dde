import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G1 Legal paths: several sources")
struct G01SeveralSourcesTests {
  @Test("Every observer sees a legal path, whoever says what", arguments: BusKind.allCases)
  func legalPaths(_ kind: BusKind) throws {
    let roles: [LifecycleRole] = [.presence, .participant("window"), .ceiling]
    let sayings = roles.indices.flatMap { role in PhaseOracle.transitions.map { (role, $0) } }
    for first in sayings {
      for second in sayings {
        for third in sayings {
          let bus = kind.make()
          let sources = roles.map { _ in TestSource() }
          var connections = try zip(sources, roles).map { try bus.connect($0, as: $1) }
          let events = Collector<LifecycleEvent>()
          let phases = Trace()
          let token = bus.addObserver { events($0) }
          let sink = bus.phases.sink { phases("\($0)") }
          for (role, kind) in [first, second, third] { sources[role].input.send(kind) }
          connections[third.0].cancel()
          connections[first.0].cancel()
          connections = []
          token.cancel()
          sink.cancel()
          var path: [LifecyclePhase] = [.unknown]
          for (index, event) in events.values.enumerated() {
            let isEdge = PhaseOracle.edges.contains {
              $0.from == event.previousPhase && $0.kind == event.kind && $0.to == event.phase
            }
            if !isEdge || event.previousPhase != path.last || event.sequenceNumber != index + 1 {
              Issue.record("\([first, second, third]): \(events.values.map(\.line))")
            }
            path.append(event.phase)
          }
          if phases.lines != path.map(\.rawValue) {
            Issue.record("\([first, second, third]): phases \(phases.lines)")
          }
        }
      }
    }
  }

  @Test("A path stops at the ceiling, and is synthesized up to there", arguments: BusKind.allCases)
  func stopsAtTheCeiling(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(.didFinishLaunching)
    lock.input.send(.didBecomeActive)
    lock.input.send(.willResignActive)
    let trace = Trace()
    let token = bus.addObserver { trace("\($0.fullLine) \($0.metadata)") }
    clock.advance(by: .seconds(7))
    expectNoDifference(bus.send(.didBecomeActive, metadata: ["why": "click"]), .delivered)
    lock.input.send(.didBecomeActive, metadata: ["why": "unlocked"])
    expectNoDifference(
      trace.lines,
      [
        "2 willEnterForeground background→inactive synthesized @3607 [:]",
        "3 didBecomeActive inactive→active source(lock) @3607 [\"why\": \"unlocked\"]",
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test(
    "A participant's first word may lower the bus; a later upward one never does",
    arguments: BusKind.allCases
  )
  func firstWord(_ kind: BusKind) throws {
    let bus = kind.make()
    let focus = TestSource("focus")
    let connection = try bus.connect(focus, as: .ceiling)
    focus.input.send(.didBecomeActive)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    expectNoDifference(bus.send(.didFinishLaunching), .delivered)
    expectNoDifference(bus.send(.didBecomeActive), .delivered)
    expectNoDifference(bus.send(.willEnterForeground), .suppressed(.duplicate))
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
        "6 willEnterForeground background→inactive synthesized",
        "7 didBecomeActive inactive→active manual",
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test(
    "Whoever speaks first is given the steps that must have happened; a limit is no sign of any",
    arguments: BusKind.allCases
  )
  func fromUnknown(_ kind: BusKind) throws {
    for role in [LifecycleRole.presence, .participant("window"), .ceiling] {
      let trace = Trace()
      for input in PhaseOracle.transitions {
        let bus = kind.make()
        let source = TestSource("first")
        let connection = try bus.connect(source, as: role)
        let steps = Trace()
        let token = bus.addObserver {
          steps($0.origin == .synthesized ? "\($0.kind)*" : "\($0.kind)")
        }
        let outcome = source.input.send(input)
        trace("\(input): \(([outcome.line] + steps.lines).joined(separator: " "))")
        token.cancel()
        connection.cancel()
      }
      let end =
        role == .participant("window") ? "suppressed masked" : "delivered willTerminate"
      let wasFurther = role != .ceiling
      expectNoDifference(
        trace.lines,
        [
          "didFinishLaunching: delivered didFinishLaunching",
          "willEnterForeground: delivered didFinishLaunching* willEnterForeground",
          "didBecomeActive: delivered didFinishLaunching* willEnterForeground* didBecomeActive",
          "willResignActive: delivered didFinishLaunching* willEnterForeground*"
            + (wasFurther ? " didBecomeActive* willResignActive" : ""),
          "didEnterBackground: delivered didFinishLaunching*"
            + (wasFurther ? " willEnterForeground* didEnterBackground" : ""),
          "willTerminate: \(end)",
        ]
      )
    }
  }

  @Test(
    "The end comes from the process and from ceilings, never from a part",
    arguments: BusKind.allCases
  )
  func whoEnds(_ kind: BusKind) throws {
    let trace = Trace()
    for role in [LifecycleRole.presence, .participant("window"), .ceiling] {
      let bus = kind.make()
      bus.send(.willEnterForeground)
      let source = TestSource("source")
      let connection = try bus.connect(source, as: role)
      let token = bus.addObserver { trace($0.line) }
      trace(source.input.send(.didBecomeActive).line)
      trace(source.input.send(.willTerminate).line)
      trace(source.input.send(.didBecomeActive).line)
      trace(bus.phase.rawValue)
      token.cancel()
      connection.cancel()
    }
    expectNoDifference(
      trace.lines,
      [
        // The application's.
        "3 didBecomeActive inactive→active source(source)",
        "delivered",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
        "6 willTerminate background→terminated source(source)",
        "delivered",
        "suppressed terminated",
        "terminated",
        // The window's.
        "3 didBecomeActive inactive→active source(source)",
        "delivered",
        "4 willResignActive active→inactive synthesized",
        "delivered",
        "suppressed terminated",
        "inactive",
        // The ceiling's.
        "suppressed masked",
        "3 didEnterBackground inactive→background synthesized",
        "4 willTerminate background→terminated source(source)",
        "delivered",
        "suppressed terminated",
        "terminated",
      ]
    )
  }

  @Test(
    "The end of the last participant lets the bus rise to its ceiling",
    arguments: BusKind.allCases
  )
  func lastParticipantEnds(_ kind: BusKind) throws {
    let bus = kind.make()
    let lock = TestSource("lock")
    let window = TestSource("window")
    let connections = [
      try bus.connect(lock, as: .ceiling), try bus.connect(window, as: .participant("window")),
    ]
    lock.input.send(.didBecomeActive)
    window.input.send(.didFinishLaunching)
    expectNoDifference(bus.phase, .background)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    expectNoDifference(window.input.send(.willTerminate), .delivered)
    expectNoDifference(
      trace.lines,
      [
        "6 willEnterForeground background→inactive synthesized",
        "7 didBecomeActive inactive→active synthesized",
      ]
    )
    token.cancel()
    for connection in connections { connection.cancel() }
  }
}
