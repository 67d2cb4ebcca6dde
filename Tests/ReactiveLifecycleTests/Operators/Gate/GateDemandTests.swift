import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate: demand")
struct GateDemandTests {
  @Test("What is dropped is asked for again, one at a time", arguments: BusKind.allCases)
  func demandOfDropped(_ kind: BusKind) {
    let stage = GateStage(kind, .drop, demand: .max(2))
    stage.bus.send(.willResignActive)
    stage.send(1, 2)
    stage.bus.send(.didBecomeActive)
    stage.send(3, 4)
    expectNoDifference(stage.trace.take(), ["more max(1)", "more max(1)", "3", "4"])
    expectNoDifference(stage.upstream[1].asked, .none)
    stage.downstream.request(.max(3))
    expectNoDifference(stage.trace.lines, ["ask max(3)"])
  }

  @Test("What is replaced is asked for again; what is held is not", arguments: BusKind.allCases)
  func demandOfReplaced(_ kind: BusKind) {
    let stage = GateStage(kind, .latest, demand: .max(2))
    stage.bus.send(.willResignActive)
    stage.send(1, 2, 3)
    expectNoDifference(stage.trace.take(), ["more max(1)", "more max(1)"])
    expectNoDifference(stage.upstream[1].asked, .max(1))
    stage.bus.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["3"])
    expectNoDifference(stage.upstream[1].asked, .max(1))
  }

  @Test("When full, what is dropped is asked for again", arguments: BusKind.allCases)
  func demandWhenFull(_ kind: BusKind) {
    for whenFull in [Publishers.LifecycleGateBuffering.WhenFull.dropOldest, .dropNewest] {
      let stage = GateStage(kind, .all(limit: 2, whenFull: whenFull), demand: .max(4))
      stage.bus.send(.willResignActive)
      stage.send(1, 2, 3, 4, 5)
      expectNoDifference(stage.trace.take(), ["more max(1)", "more max(1)", "more max(1)"])
      expectNoDifference(stage.upstream[1].asked, .max(2))
    }
  }

  @Test("What downstream asks for in its turn is asked of upstream", arguments: BusKind.allCases)
  func demandOfDownstream(_ kind: BusKind) {
    let stage = GateStage(kind, .all(limit: 9, whenFull: .dropOldest), demand: .max(2))
    stage.downstream.onValue = { $0 == 2 ? .max(3) : .none }
    stage.bus.send(.willResignActive)
    stage.send(1, 2)
    stage.bus.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["1", "2", "ask max(3)"])
    stage.downstream.onValue = { _ in .max(2) }
    stage.send(3)
    expectNoDifference(stage.trace.take(), ["3", "more max(2)"])
  }

  @Test("What is asked for from inside receive(subscription:) arrives", arguments: BusKind.allCases)
  func requestInSubscription(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { $0.request = { $0.send(ProbeValue(1)) } }
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    upstream.gate(.atMost(.unknown), of: bus, buffering: .drop).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask max(1)", "1"])
  }

  @Test("An endless upstream that answers at once ends with its downstream")
  func endlessUpstreamEndsWithDownstream() {
    let bus = BusKind.nonisolated.make()
    let numbers = Locked<[Int]>([])
    (1...).publisher.gate(.atMost(.unknown), of: bus, buffering: .latest).prefix(3)
      .subscribe(
        Subscribers.Sink { _ in
        } receiveValue: { value in
          numbers.withLock { $0.append(value) }
        }
      )
    expectNoDifference(numbers.withLock { $0 }, [1, 2, 3])
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
