import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate")
struct GateTests {
  @Test("The latest is held", arguments: BusKind.allCases)
  func latestValueIsHeld(_ kind: BusKind) {
    let stage = GateStage(kind, .latest)
    stage.send(1)
    stage.bus.send(.willResignActive)
    stage.send(2, 3)
    stage.bus.send(.didEnterBackground)
    stage.send(4)
    expectNoDifference(stage.trace.take(), ["1"])
    stage.bus.send(.didBecomeActive)
    stage.send(5)
    expectNoDifference(stage.trace.take(), ["4", "5"])
    stage.bus.send(.willResignActive)
    stage.bus.send(.didBecomeActive)
    expectNoDifference(stage.trace.lines, [])
  }

  @Test("All are held up to a limit, in order", arguments: BusKind.allCases)
  func allValuesAreHeldUpToALimit(_ kind: BusKind) {
    for (whenFull, kept) in [
      (Publishers.LifecycleGateBuffering.WhenFull.dropOldest, ["3", "4", "5"]),
      (.dropNewest, ["1", "2", "3"]),
    ] {
      let stage = GateStage(kind, .all(limit: 3, whenFull: whenFull))
      stage.bus.send(.willResignActive)
      stage.send(1, 2, 3, 4, 5)
      stage.bus.send(.didBecomeActive)
      stage.send(6)
      expectNoDifference(stage.trace.lines, kept + ["6"])
    }
  }

  @Test("A gate that is open at most in a phase", arguments: BusKind.allCases)
  func atMost(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atMost(.background), of: bus, buffering: .latest).subscribe(downstream)
    upstream.send(1)
    bus.send(.didBecomeActive)
    upstream.send(2)
    bus.send(.didEnterBackground)
    upstream.send(3)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "1", "2", "3"]
    )
  }

  @Test("Every phase, as a bound of either side", arguments: LifecyclePhase.allCases)
  func everyPhase(_ bound: LifecyclePhase) {
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground,
    ]
    for kind in BusKind.allCases {
      let bus = kind.make()
      let trace = Trace()
      let upstream = ProbePublisher(trace)
      let atLeast = ProbeSubscriber(trace)
      let atMost = ProbeSubscriber(trace)
      // Some are always open, which is reported.
      withIssueReporters([]) {
        upstream.gate(.atLeast(bound), of: bus, buffering: .drop).subscribe(atLeast)
        upstream.gate(.atMost(bound), of: bus, buffering: .drop).subscribe(atMost)
      }
      func check(_ phase: LifecyclePhase) {
        _ = trace.take()
        upstream[1].send(ProbeValue(1))
        upstream[2].send(ProbeValue(2))
        expectNoDifference(
          trace.lines,
          (phase >= bound ? ["1"] : []) + (phase <= bound ? ["2"] : [])
        )
      }
      check(.unknown)
      for kind in kinds {
        bus.send(kind)
        check(bus.phase)
      }
    }
  }

  @Test("A limit below 1 is reported at the caller's line, and keeps nothing")
  func badLimit() {
    let bus = BusKind.nonisolated.make()
    for whenFull in [Publishers.LifecycleGateBuffering.WhenFull.dropOldest, .dropNewest] {
      for limit in [0, -1, .min] {
        let trace = Trace()
        let upstream = ProbePublisher(trace)
        let downstream = ProbeSubscriber(trace)
        expectReportedIssue("keeps nothing", line: #line + 1) {
          upstream.gate(
            .atLeast(.active),
            of: bus,
            buffering: .all(limit: limit, whenFull: whenFull)
          ).subscribe(downstream)
        }
        _ = trace.take()
        upstream.send(1)
        bus.send(.didBecomeActive)
        expectNoDifference(trace.lines, [])
        bus.send(.willResignActive)
      }
    }
  }

  @Test("The gate's line is among the bus's subscriptions", arguments: BusKind.allCases)
  func gateLineIsAmongSubscriptionsOfBus(_ kind: BusKind) {
    let bus = kind.make()
    let upstream = ProbePublisher(Trace())
    let downstream = ProbeSubscriber(Trace())
    upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    expectNoDifference(bus.liveSubscriptions.map(\.location.fileID), [#fileID])
    downstream.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
