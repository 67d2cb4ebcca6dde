import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G5 Joining: openings")
struct G05OpeningTests {
  private let clock = ManualClock()
  private let trace = Trace()
  private let scope = LifecycleScope("openings")

  @Test("One that joins gets the current opening by choice", arguments: BusKind.allCases)
  func catchUpInEveryPhase(_ kind: BusKind) {
    let ways: [(String, [LifecycleEvent.Kind])] = [
      ("unknown", []), ("background", [.didFinishLaunching]), ("inactive", [.willEnterForeground]),
      ("active", [.didBecomeActive]), ("inactive again", [.willResignActive]),
      ("background again", [.didEnterBackground]), ("returned", [.didBecomeActive]),
      ("terminated", [.willTerminate]),
    ]
    for catchUp in LifecycleCatchUp.allCases {
      let bus = kind.make(clock: clock)
      for (name, way) in ways {
        for step in way {
          clock.advance(by: .seconds(10))
          bus.send(step)
        }
        bus.onOpen(in: scope, id: "load", catchUp: catchUp) { [trace] in
          trace("\(name), \(catchUp): \(line($0))")
        }
      }
    }
    // Without catch-up, they come as events, to the one that joined in the phase before.
    expectNoDifference(
      trace.lines,
      [
        "background, nothing: first, 10 s",
        "background again, nothing: away 10 s, 10 s",

        "background, currentPhase: first, 10 s",
        "inactive, currentPhase: first, 10 s",
        "active, currentPhase: first, 10 s",
        "inactive again, currentPhase: first, 10 s",
        "background again, currentPhase: away 10 s, 10 s",
        "returned, currentPhase: away 10 s, 10 s",

        "background, path: first, 10 s",
        "inactive, path: first, 10 s",
        "active, path: first, 10 s",
        "inactive again, path: first, 10 s",
        "background again, path: away 10 s, 10 s",
        "returned, path: away 10 s, 10 s",
      ]
    )
  }

  @Test(
    "Objects that join in a visit get one opening: its number, and its instant",
    arguments: BusKind.allCases
  )
  func oneOpening(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let start = clock.now
    for _ in 1...2 {
      let visit = LifecycleScope("visit")
      bus.send(.didBecomeActive)
      for _ in 1...2 {
        clock.advance(by: .seconds(10))
        bus.onOpen(in: visit, catchUp: .currentPhase) { [trace] opening in
          trace("\(opening.number) at \(start.duration(to: opening.instant).text)")
        }
      }
      visit.end()
      bus.send(.didEnterBackground)
    }
    expectNoDifference(trace.lines, ["1 at 0 s", "1 at 0 s", "2 at 20 s", "2 at 20 s"])
  }

  @Test(
    "In a delivery: after it and before the next, once, and not if the process is leaving",
    arguments: BusKind.allCases
  )
  func joinsInDelivery(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let first = bus.addObserver { [unowned bus, scope, trace] event in
      trace("\(event.kind)")
      for catchUp in [LifecycleCatchUp.nothing, .currentPhase] {
        bus.onOpen(in: scope, id: catchUp, catchUp: catchUp) { trace("\(catchUp): \(line($0))") }
      }
    }
    bus.send(all: .didBecomeActive, .didEnterBackground)
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching",
        // Replaced by the next two, which do not receive the event in delivery.
        "willEnterForeground", "currentPhase: first, 0 s",
        "didBecomeActive", "currentPhase: first, 0 s",
        "willResignActive", "currentPhase: first, 0 s",
        "didEnterBackground",
      ]
    )
    first.cancel()
    trace("and again")
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines.suffix(3),
      ["and again", "nothing: away 0 s, 0 s", "currentPhase: away 0 s, 0 s"]
    )
  }

  @Test("The current opening has arrived when the call returns", arguments: BusKind.allCases)
  func catchUpBeforeTheCallReturns(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    bus.onOpen(in: scope, catchUp: .currentPhase) { [trace] in trace(line($0)) }
    trace("registered")
    expectNoDifference(trace.lines, ["first, 0 s", "registered"])
  }

  @Test("One that joins off the main actor receives the current opening there")
  func catchUpFromOtherThread() async {
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    onOtherThread { [scope, trace] in
      bus.onOpen(in: scope, catchUp: .currentPhase) { trace(line($0)) }
    }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["first, 0 s"])
  }
}

/// `first, 2 s`, or `away 90 s, 90 s`.
private func line(_ opening: LifecycleOpening) -> String {
  let start = opening.isFirst ? "first" : opening.stay?.description ?? "no stay"
  return "\(start), \(opening.timeAway.components.seconds) s"
}
