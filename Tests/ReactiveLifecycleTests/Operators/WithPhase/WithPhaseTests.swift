import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("With phase")
struct WithPhaseTests {
  @Test("Each value with the phase of its moment, also after the end", arguments: BusKind.allCases)
  func eachValueHasPhaseOfItsMoment(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let pairs = upstream.withPhase(of: bus!)
    let token = pairs.sink {
      trace($0 == .finished ? "finished" : "failed")
    } receiveValue: { pair in
      trace("\(pair.value.number) \(pair.phase)")
    }
    #expect(bus!.liveSubscriptions.isEmpty)
    upstream.send(1)
    bus!.send(.didBecomeActive)
    upstream.send(2)
    let observer = bus!.addObserver { _ in upstream.send(3) }
    bus!.send(.willResignActive)
    bus!.send(.willTerminate)
    observer.cancel()
    bus = nil
    upstream.send(4)
    upstream.send(completion: .failure(.broken))
    expectNoDifference(
      trace.lines,
      [
        "subscribe 1", "ask unlimited", "1 unknown", "2 active", "3 inactive", "3 background",
        "3 terminated", "4 terminated", "failed",
      ]
    )
    token.cancel()
  }

  @Test("The pair is passed on by the thread that sends the value", arguments: BusKind.allCases)
  func callersThread(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let caller = Locked<ObjectIdentifier?>(nil)
    let upstream = ProbePublisher(trace)
    let token = upstream.withPhase(of: bus).sink { @Sendable _ in
    } receiveValue: { @Sendable pair in
      let isCaller = caller.withLock { $0 == currentThread() }
      trace("\(pair.value.number) \(pair.phase), on the caller's thread: \(isCaller)")
    }
    _ = trace.take()
    // The main actor, where a main-actor bus delivers, is blocked here.
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      upstream.send(1)
      trace("sent")
    }
    expectNoDifference(trace.lines, ["1 inactive, on the caller's thread: true", "sent"])
    token.cancel()
  }

  @Test("Demand and cancellation pass through", arguments: BusKind.allCases)
  func demandAndCancellationPassThrough(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    upstream.withPhase(of: bus).map(\.value).subscribe(downstream)
    downstream.onValue = { _ in .max(2) }
    upstream.send(1)
    downstream.cancel()
    expectNoDifference(
      trace.lines,
      ["subscribe 1", "subscription", "ask max(1)", "1", "more max(2)", "cancel 1"]
    )
  }

  @Test("The bus is not kept alive", arguments: BusKind.allCases)
  func busIsNotKept(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    weak let weakBus = bus
    let pairs = ProbePublisher(Trace()).withPhase(of: bus!)
    bus = nil
    #expect(weakBus == nil)
    _ = consume pairs
  }
}
