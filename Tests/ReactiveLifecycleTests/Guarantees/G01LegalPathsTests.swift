import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
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

  @Test("A whole life is the path of the diagram", arguments: BusKind.allCases)
  func wholeLife(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    bus.send(all: .didBecomeActive, .willTerminate)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background synthesized",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active manual",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
        "6 willTerminate background→terminated manual",
      ]
    )
  }

  @Test("Filled-in steps carry the instant of the input, not its text", arguments: BusKind.allCases)
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

  @Test("An input of a source ends with an event of that source", arguments: BusKind.allCases)
  func originOfSource(_ kind: BusKind) throws {
    let bus = kind.make()
    let source = TestSource("remote")
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    source.input.send(.willEnterForeground)
    token.cancel()
    connection.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background synthesized",
        "2 willEnterForeground background→inactive source(remote)",
      ]
    )
  }

  @Test("Whatever is sent, all observers see legal paths", arguments: BusKind.allCases)
  func everyObserverSeesLegalPaths(_ kind: BusKind) {
    for first in PhaseOracle.transitions {
      for second in PhaseOracle.transitions {
        for third in PhaseOracle.transitions {
          let bus = kind.make()
          let phases = Trace()
          let events = Locked<[LifecycleEvent]>([])
          var subscriptions: Set<AnyCancellable> = []
          bus.phases.sink { phases($0.rawValue) }.store(in: &subscriptions)
          bus.events.sink { event in events.withLock { $0.append(event) } }
            .store(in: &subscriptions)
          bus.send(all: first, .systemDidWake, second, third)
          let seen = events.withLock { $0 }
          var phase = LifecyclePhase.unknown
          var path = [phase]
          for event in seen {
            expectNoDifference(event.previousPhase, phase)
            phase = event.phase
            guard event.kind.isTransition else { continue }
            path.append(phase)
            #expect(
              PhaseOracle.edges.contains {
                $0.from == event.previousPhase && $0.kind == event.kind && $0.to == event.phase
              }
            )
          }
          expectNoDifference(phases.lines, path.map(\.rawValue), "\(first), \(second), \(third)")
        }
      }
    }
  }
}
