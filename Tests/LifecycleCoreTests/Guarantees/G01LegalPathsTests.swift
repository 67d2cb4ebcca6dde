import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G1 Legal paths")
struct G01LegalPathsTests {
  @Test("Each input from each phase takes the shortest way", arguments: BusKind.allCases)
  func everyInputFromEveryPhase(_ kind: BusKind) {
    let trace = Trace()
    for (phase, way) in PhaseOracle.waysTo {
      for input in PhaseOracle.transitions {
        let bus = kind.make()
        for step in way { bus.send(step) }
        let steps = Trace()
        let token = bus.addObserver {
          steps($0.origin == .synthesized ? "\($0.kind)*" : $0.kind.rawValue)
        }
        bus.send(input)
        token.cancel()
        let path = steps.lines.isEmpty ? "-" : steps.lines.joined(separator: " ")
        trace("\(phase) + \(input): \(path)")
      }
    }
    expectNoDifference(
      trace.lines,
      [
        "unknown + didFinishLaunching: didFinishLaunching",
        "unknown + willEnterForeground: didFinishLaunching* willEnterForeground",
        "unknown + didBecomeActive: didFinishLaunching* willEnterForeground* didBecomeActive",
        "unknown + willResignActive: didFinishLaunching* willEnterForeground* didBecomeActive* "
          + "willResignActive",
        "unknown + didEnterBackground: didFinishLaunching* willEnterForeground* "
          + "didEnterBackground",
        "unknown + willTerminate: willTerminate",
        "background + didFinishLaunching: -",
        "background + willEnterForeground: willEnterForeground",
        "background + didBecomeActive: willEnterForeground* didBecomeActive",
        "background + willResignActive: -",
        "background + didEnterBackground: -",
        "background + willTerminate: willTerminate",
        "inactive + didFinishLaunching: -",
        "inactive + willEnterForeground: -",
        "inactive + didBecomeActive: didBecomeActive",
        "inactive + willResignActive: -",
        "inactive + didEnterBackground: didEnterBackground",
        "inactive + willTerminate: didEnterBackground* willTerminate",
        "active + didFinishLaunching: -",
        "active + willEnterForeground: -",
        "active + didBecomeActive: -",
        "active + willResignActive: willResignActive",
        "active + didEnterBackground: willResignActive* didEnterBackground",
        "active + willTerminate: willResignActive* didEnterBackground* willTerminate",
        "terminated + didFinishLaunching: -",
        "terminated + willEnterForeground: -",
        "terminated + didBecomeActive: -",
        "terminated + willResignActive: -",
        "terminated + didEnterBackground: -",
        "terminated + willTerminate: -",
      ]
    )
  }

  @Test("Filled-in steps have the input's instant, not its metadata", arguments: BusKind.allCases)
  func instantOfFilledInSteps(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let token = bus.addObserver {
      trace("\($0.kind) \($0.instant.continuous.timeSinceBoot.components.seconds) \($0.metadata)")
    }
    bus.send(.willEnterForeground)
    clock.advance(by: .seconds(5))
    var instant = clock.now
    instant.continuous += .seconds(100)
    bus.send(.didEnterBackground, at: instant, metadata: ["signal": "SIGTSTP"])
    clock.advance(by: .seconds(5))
    bus.send(.didBecomeActive, metadata: ["signal": "SIGCONT"])
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching 3600 [:]",
        "willEnterForeground 3600 [:]",
        "didEnterBackground 3705 [\"signal\": \"SIGTSTP\"]",
        "willEnterForeground 3610 [:]",
        "didBecomeActive 3610 [\"signal\": \"SIGCONT\"]",
      ]
    )
  }

  // MARK: Several sources

  @Test("The path is legal, whatever three sources send in turn", arguments: BusKind.allCases)
  func legalPaths(_ kind: BusKind) throws {
    let roles: [LifecycleRole] = [.participant(.application), .participant("window"), .ceiling]
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
          for (role, kind) in [first, second, third] { sources[role].feed.send(kind) }
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
              return
            }
            path.append(event.phase)
          }
          if phases.lines != path.map(\.rawValue) {
            Issue.record("\([first, second, third]): phases \(phases.lines)")
            return
          }
        }
      }
    }
  }

  @Test("A path stops at the ceiling, and its events are synthesized", arguments: BusKind.allCases)
  func stopsAtTheCeiling(_ kind: BusKind) throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(.didFinishLaunching)
    lock.feed.send(.didBecomeActive)
    lock.feed.send(.willResignActive)
    let trace = Trace()
    let token = bus.addObserver { trace("\($0.fullLine) \($0.metadata)") }
    clock.advance(by: .seconds(7))
    expectNoDifference(bus.send(.didBecomeActive, metadata: ["why": "click"]), .delivered)
    lock.feed.send(.didBecomeActive, metadata: ["why": "unlocked"])
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
    "A first input from unknown is given the upward steps before it, that of a ceiling is not",
    arguments: BusKind.allCases
  )
  func fromUnknown(_ kind: BusKind) throws {
    for role in [LifecycleRole.participant(.application), .participant("window"), .ceiling] {
      let trace = Trace()
      for input in PhaseOracle.transitions {
        let bus = kind.make()
        let source = TestSource("first")
        let connection = try bus.connect(source, as: role)
        let steps = Trace()
        let token = bus.addObserver {
          steps($0.origin == .synthesized ? "\($0.kind)*" : "\($0.kind)")
        }
        let outcome = source.feed.send(input)
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
    "Participants and ceilings of the process terminate the bus, a window does not",
    arguments: BusKind.allCases
  )
  func whoEnds(_ kind: BusKind) throws {
    let trace = Trace()
    for role in [LifecycleRole.participant(.application), .participant("window"), .ceiling] {
      let bus = kind.make()
      bus.send(.willEnterForeground)
      let source = TestSource("source")
      let connection = try bus.connect(source, as: role)
      let token = bus.addObserver { trace($0.line) }
      trace(source.feed.send(.didBecomeActive).line)
      trace(source.feed.send(.willTerminate).line)
      trace(source.feed.send(.didBecomeActive).line)
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
}
