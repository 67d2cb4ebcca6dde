import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate: which phase counts, and what comes first")
struct GateOrderTests {
  @Test(
    "A value sent by an observer of the same event passes by that event's phase",
    arguments: BusKind.allCases
  )
  func sameEvent(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    // Before the gate on the way up, after it on the way down.
    let earlier = bus.addObserver { [trace, upstream] event in
      guard event.phase >= .inactive, upstream.count == 1 else { return }
      trace("send \(event.sequenceNumber)")
      upstream.send(event.sequenceNumber)
    }
    upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    // Before the gate on the way down.
    let later = bus.addObserver { [trace, upstream] event in
      trace("then \(event.sequenceNumber)")
      upstream.send(10 * event.sequenceNumber)
    }
    _ = trace.take()
    bus.send(.didBecomeActive)
    bus.send(.willResignActive)
    expectNoDifference(
      trace.lines,
      ["then 1", "send 2", "then 2", "send 3", "3", "then 3", "30", "then 4", "send 4"]
    )
    earlier.cancel()
    later.cancel()
  }

  @Test(
    "What was held comes in the gate's turn, before a value sent by an earlier observer",
    arguments: BusKind.allCases
  )
  func heldBeforeNewer(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let earlier = bus.addObserver(for: [.didBecomeActive]) { [trace, upstream] _ in
      upstream.send(3)
      upstream.send(4)
      trace("sent")
    }
    upstream.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(downstream)
    upstream.send(1)
    upstream.send(2)
    _ = trace.take()
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["sent", "2", "3", "4"])
    earlier.cancel()
  }

  @Test("Subscribed in an open phase, the first value passes", arguments: BusKind.allCases)
  func subscribedDuringDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    // The gate joins after the delivery; its first value comes before that.
    let token = bus.addObserver(for: [.didBecomeActive]) { _ in
      upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
      upstream.send(1)
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask unlimited", "1"])
    token.cancel()
  }

  @Test("Values that pass stay on upstream's thread; what was held arrives where the bus delivers")
  func passingValuesStayOnTheirThread() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(downstream)
    _ = trace.take()
    downstream.onValue = { number in
      if number == 1 { MainActor.assertIsolated() }
      return .none
    }
    await awaitOtherThread {
      upstream.send(1)
      _ = bus.send(.didBecomeActive)
    }
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["1"])
    let thread = Locked<ObjectIdentifier?>(nil)
    downstream.onValue = { _ in
      thread.withLock { $0 = currentThread() }
      return .none
    }
    let isSame = await awaitOtherThread {
      upstream.send(2)
      return thread.withLock { $0 } == currentThread()
    }
    #expect(isSame)
    expectNoDifference(trace.take(), ["2"])
    downstream.cancel()
  }

  // MARK: From inside downstream's call

  @Test("A value from inside downstream's call comes after it", arguments: BusKind.allCases)
  func nestedValue(_ kind: BusKind) {
    let stage = GateStage(kind, .drop)
    stage.downstream.onValue = { [trace = stage.trace, upstream = stage.upstream] number in
      if number < 3 { upstream.send(number + 1) }
      trace("end of \(number)")
      return .none
    }
    stage.send(1)
    expectNoDifference(stage.trace.lines, ["1", "end of 1", "2", "end of 2", "3", "end of 3"])
  }

  @Test(
    "A gate that downstream closes holds what waits behind its call",
    arguments: BusKind.allCases
  )
  func nestedClose(_ kind: BusKind) {
    let kept: [(Publishers.LifecycleGateBuffering, [String], [String])] = [
      (.drop, ["ask max(2)"], []), (.latest, ["ask max(1)"], ["3"]),
      (.all(limit: 5, whenFull: .dropOldest), [], ["2", "3"]),
    ]
    for (buffering, asked, handedOut) in kept {
      let stage = GateStage(kind, buffering, demand: .max(9))
      stage.downstream.onValue = {
        [trace = stage.trace, upstream = stage.upstream, bus = stage.bus] in
        guard $0 == 1 else { return .none }
        upstream.send(2)
        upstream.send(3)
        bus.send(.willResignActive)
        trace("closed")
        return .none
      }
      stage.send(1)
      expectNoDifference(stage.trace.take(), ["1"] + asked + ["closed"])
      stage.bus.send(.didBecomeActive)
      expectNoDifference(stage.trace.take(), handedOut)
    }
  }

  @Test("A phase sent from inside what is handed out comes after that", arguments: BusKind.allCases)
  func nestedSend(_ kind: BusKind) {
    let stage = GateStage(kind, .all(limit: 5, whenFull: .dropOldest))
    stage.bus.send(.willResignActive)
    stage.send(1, 2, 3)
    stage.downstream.onValue = { [bus = stage.bus] in
      if $0 == 1 { bus.send(.willResignActive) }
      return .none
    }
    stage.bus.send(.didBecomeActive)
    stage.send(4)
    expectNoDifference(stage.trace.lines, ["1", "2", "3"])
  }
}
