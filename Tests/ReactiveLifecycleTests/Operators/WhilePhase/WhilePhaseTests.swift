import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("While phase")
struct WhilePhaseTests {
  @Test("Subscribed in the phase, cancelled out of it", arguments: BusKind.allCases)
  func comesAndGoes(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind)
    expectNoDifference(stage.upstream.count, 0)
    stage.bus.send(.didBecomeActive)
    stage.upstream.send(1)
    stage.bus.send(.willResignActive)
    stage.upstream[1].send(ProbeValue(2))
    stage.bus.send(.didEnterBackground)
    stage.bus.send(.didBecomeActive)
    stage.upstream[1].send(ProbeValue(3))
    stage.upstream[1].complete(.failure(.broken))
    stage.upstream.send(4)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscribe 1", "ask unlimited", "1", "cancel 1", "subscribe 2", "ask unlimited", "4",
      ]
    )
  }

  @Test("Subscribed at once in the phase; at most a phase", arguments: BusKind.allCases)
  func atOnce(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    ProbePublisher(trace).whilePhase(.atMost(.background), of: bus).subscribe(downstream)
    bus.send(.didFinishLaunching)
    bus.send(.willEnterForeground)
    bus.send(.didEnterBackground)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask max(1)", "cancel 1", "subscribe 2", "ask max(1)"]
    )
  }

  @Test("On a main-actor bus it subscribes where the bus delivers")
  func subscribedElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { hooks in
      hooks.subscribe = { _ in MainActor.assertIsolated() }
      hooks.cancel = { _ in MainActor.assertIsolated() }
    }
    let downstream = ProbeSubscriber(trace)
    await awaitOtherThread {
      upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
      trace("returned")
    }
    await mainQueueToDrain()
    await awaitOtherThread { _ = bus.send(.willResignActive) }
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines.filter { $0 != "returned" },
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1"]
    )
  }

  @Test("It subscribes and cancels in its turn of the event", arguments: BusKind.allCases)
  func inItsTurn(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let before = bus.addObserver { trace("before \($0.kind)") }
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    let after = bus.addObserver { trace("after \($0.kind)") }
    _ = trace.take()
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.take(),
      ["before didBecomeActive", "subscribe 1", "ask unlimited", "after didBecomeActive"]
    )
    bus.send(.willResignActive)
    expectNoDifference(
      trace.take(),
      ["after willResignActive", "cancel 1", "before willResignActive"]
    )
    downstream.cancel()
    before.cancel()
    after.cancel()
  }

  // MARK: Demand

  @Test("What was not delivered carries over", arguments: BusKind.allCases)
  func demandCarriesOver(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind, demand: .max(3))
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { $0 == 1 ? .max(1) : .none }
    stage.upstream.send(1)
    stage.bus.send(.willResignActive)
    stage.downstream.request(.max(2))
    expectNoDifference(
      stage.trace.take(),
      ["subscribe 1", "ask max(3)", "1", "more max(1)", "cancel 1"]
    )
    stage.bus.send(.didBecomeActive)
    stage.upstream.send(2)
    stage.downstream.request(.max(4))
    expectNoDifference(stage.trace.take(), ["subscribe 2", "ask max(5)", "2", "ask max(4)"])
    expectNoDifference(stage.upstream[2].asked, .max(8))
  }

  @Test("Nothing is asked for that nobody wants", arguments: BusKind.allCases)
  func noDemand(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind, demand: .none)
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.willResignActive)
    expectNoDifference(stage.trace.lines, ["subscribe 1", "cancel 1"])
  }

  @Test(
    "What waits behind a call when the phase is left is owed again",
    arguments: BusKind.allCases
  )
  func waitingIsOwed(_ kind: BusKind) {
    let stage = WhilePhaseStage(kind, demand: .max(3))
    stage.bus.send(.didBecomeActive)
    stage.downstream.onValue = { [bus = stage.bus, upstream = stage.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(.willResignActive)
      bus.send(.didBecomeActive)
      return .max(10)
    }
    stage.upstream[1].send(ProbeValue(1))
    // The subscription that the value came from is no more: its successor is asked.
    expectNoDifference(
      stage.trace.lines,
      ["subscribe 1", "ask max(3)", "1", "cancel 1", "subscribe 2", "ask max(2)", "ask max(10)"]
    )
    expectNoDifference(stage.upstream[2].asked, .max(12))
  }

  @Test("Its line is among the bus's subscriptions", arguments: BusKind.allCases)
  func whilePhaseLineIsAmongSubscriptionsOfBus(_ kind: BusKind) {
    let bus = kind.make()
    let downstream = ProbeSubscriber(Trace())
    ProbePublisher(Trace()).whilePhase(.atMost(.inactive), of: bus).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    downstream.cancel()
  }
}
