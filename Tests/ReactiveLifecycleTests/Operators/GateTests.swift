import CustomDump
import LifecycleTesting
import OpenCombineShim
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("Gate")
struct GateTests {
  /// An upstream behind a gate on an active bus, and its downstream.
  private struct Setup {
    let trace = Trace()
    let bus: any TestedBus
    let upstream: ProbePublisher
    let downstream: ProbeSubscriber

    init(
      _ kind: BusKind,
      _ holding: LifecycleGateHolding,
      demand: Subscribers.Demand = .unlimited
    ) {
      bus = kind.make()
      bus.send(.didBecomeActive)
      upstream = ProbePublisher(trace)
      downstream = ProbeSubscriber(trace, demand: demand)
      upstream.gate(atLeast: .active, on: bus, holding: holding).subscribe(downstream)
      _ = trace.take()
    }

    func send(_ numbers: Int...) {
      for number in numbers { upstream.send(number) }
    }
  }

  @Test("Values pass in the phase, and are dropped out of it", arguments: BusKind.allCases)
  func none(_ kind: BusKind) {
    let setup = Setup(kind, .none)
    setup.send(1, 2)
    setup.bus.send(.willResignActive)
    setup.send(3, 4)
    setup.bus.send(.didBecomeActive)
    setup.send(5)
    expectNoDifference(setup.trace.lines, ["1", "2", "5"])
  }

  @Test("The latest is held", arguments: BusKind.allCases)
  func latest(_ kind: BusKind) {
    let setup = Setup(kind, .latest)
    setup.send(1)
    setup.bus.send(.willResignActive)
    setup.send(2, 3)
    setup.bus.send(.didEnterBackground)
    setup.send(4)
    expectNoDifference(setup.trace.take(), ["1"])
    setup.bus.send(.didBecomeActive)
    setup.send(5)
    expectNoDifference(setup.trace.take(), ["4", "5"])
    setup.bus.send(.willResignActive)
    setup.bus.send(.didBecomeActive)
    expectNoDifference(setup.trace.lines, [])
  }

  @Test("All are held up to a limit, in order", arguments: BusKind.allCases)
  func all(_ kind: BusKind) {
    for (whenFull, kept) in [
      (LifecycleGateHolding.WhenFull.dropOldest, ["3", "4", "5"]), (.dropNewest, ["1", "2", "3"]),
    ] {
      let setup = Setup(kind, .all(limit: 3, whenFull: whenFull))
      setup.bus.send(.willResignActive)
      setup.send(1, 2, 3, 4, 5)
      setup.bus.send(.didBecomeActive)
      setup.send(6)
      expectNoDifference(setup.trace.lines, kept + ["6"])
    }
  }

  @Test("A gate that is open at most in a phase", arguments: BusKind.allCases)
  func atMost(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(atMost: .background, on: bus, holding: .latest).subscribe(downstream)
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
      upstream.gate(atLeast: bound, on: bus, holding: .none).subscribe(atLeast)
      upstream.gate(atMost: bound, on: bus, holding: .none).subscribe(atMost)
      func check(_ phase: LifecyclePhase) {
        _ = trace.take()
        upstream[1].send(Probe(1))
        upstream[2].send(Probe(2))
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

  @Test("A limit below 1 is reported at the caller's line, and holds nothing")
  func badLimit() {
    let bus = BusKind.nonisolated.make()
    for whenFull in [LifecycleGateHolding.WhenFull.dropOldest, .dropNewest] {
      for limit in [0, -1, .min] {
        let trace = Trace()
        let upstream = ProbePublisher(trace)
        let downstream = ProbeSubscriber(trace)
        withKnownIssue {
          upstream.gate(
            atLeast: .active,
            on: bus,
            holding: .all(limit: limit, whenFull: whenFull)
          ).subscribe(downstream)
        } matching: {
          $0.sourceLocation?.line == #line - 6 && $0.sourceLocation?.fileID == #fileID
        }
        _ = trace.take()
        upstream.send(1)
        bus.send(.didBecomeActive)
        expectNoDifference(trace.lines, [])
        bus.send(.willResignActive)
      }
    }
  }

  // MARK: Demand

  @Test("What is dropped is asked for again, one at a time", arguments: BusKind.allCases)
  func demandOfDropped(_ kind: BusKind) {
    let setup = Setup(kind, .none, demand: .max(2))
    setup.bus.send(.willResignActive)
    setup.send(1, 2)
    setup.bus.send(.didBecomeActive)
    setup.send(3, 4)
    expectNoDifference(setup.trace.take(), ["more max(1)", "more max(1)", "3", "4"])
    #expect(setup.upstream[1].asked == .none)
    setup.downstream.request(.max(3))
    expectNoDifference(setup.trace.lines, ["ask max(3)"])
  }

  @Test("What is replaced is asked for again; what is held is not", arguments: BusKind.allCases)
  func demandOfReplaced(_ kind: BusKind) {
    let setup = Setup(kind, .latest, demand: .max(2))
    setup.bus.send(.willResignActive)
    setup.send(1, 2, 3)
    expectNoDifference(setup.trace.take(), ["more max(1)", "more max(1)"])
    #expect(setup.upstream[1].asked == .max(1))
    setup.bus.send(.didBecomeActive)
    expectNoDifference(setup.trace.take(), ["3"])
    #expect(setup.upstream[1].asked == .max(1))
  }

  @Test("When full, what is dropped is asked for again", arguments: BusKind.allCases)
  func demandWhenFull(_ kind: BusKind) {
    for whenFull in [LifecycleGateHolding.WhenFull.dropOldest, .dropNewest] {
      let setup = Setup(kind, .all(limit: 2, whenFull: whenFull), demand: .max(4))
      setup.bus.send(.willResignActive)
      setup.send(1, 2, 3, 4, 5)
      expectNoDifference(setup.trace.take(), ["more max(1)", "more max(1)", "more max(1)"])
      #expect(setup.upstream[1].asked == .max(2))
    }
  }

  @Test("What downstream asks for in its turn is asked of upstream", arguments: BusKind.allCases)
  func demandOfDownstream(_ kind: BusKind) {
    let setup = Setup(kind, .all(limit: 9, whenFull: .dropOldest), demand: .max(2))
    setup.downstream.onValue = { $0 == 2 ? .max(3) : .none }
    setup.bus.send(.willResignActive)
    setup.send(1, 2)
    setup.bus.send(.didBecomeActive)
    expectNoDifference(setup.trace.take(), ["1", "2", "ask max(3)"])
    setup.downstream.onValue = { _ in .max(2) }
    setup.send(3)
    expectNoDifference(setup.trace.take(), ["3", "more max(2)"])
  }

  @Test("What is asked for from inside receive(subscription:) arrives", arguments: BusKind.allCases)
  func requestInSubscription(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { $0.request = { $0.send(Probe(1)) } }
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    upstream.gate(atMost: .unknown, on: bus, holding: .none).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask max(1)", "1"])
  }

  @Test("An endless upstream that answers at once ends with its downstream")
  func endless() {
    let bus = BusKind.nonisolated.make()
    let numbers = Locked<[Int]>([])
    (1...).publisher.gate(atMost: .unknown, on: bus, holding: .latest).prefix(3)
      .subscribe(
        Subscribers.Sink { _ in
        } receiveValue: { value in
          numbers.withLock { $0.append(value) }
        }
      )
    expectNoDifference(numbers.withLock { $0 }, [1, 2, 3])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  // MARK: Which phase counts

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
    let earlier = bus.observe { [trace, upstream] event in
      guard event.phase >= .inactive, upstream.count == 1 else { return }
      trace("send \(event.sequenceNumber)")
      upstream.send(event.sequenceNumber)
    }
    upstream.gate(atLeast: .active, on: bus, holding: .none).subscribe(downstream)
    // Before the gate on the way down.
    let later = bus.observe { [trace, upstream] event in
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
    let earlier = bus.observe(for: [.didBecomeActive]) { [trace, upstream] _ in
      upstream.send(3)
      upstream.send(4)
      trace("sent")
    }
    upstream.gate(atLeast: .active, on: bus, holding: .latest).subscribe(downstream)
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
    let token = bus.observe(for: [.didBecomeActive]) { _ in
      upstream.gate(atLeast: .active, on: bus, holding: .none).subscribe(downstream)
      upstream.send(1)
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask unlimited", "1"])
    token.cancel()
  }

  @Test("Values that pass stay on upstream's thread; what was held arrives where the bus delivers")
  func threads() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(atLeast: .active, on: bus, holding: .latest).subscribe(downstream)
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
    let setup = Setup(kind, .none)
    setup.downstream.onValue = { [trace = setup.trace, upstream = setup.upstream] number in
      if number < 3 { upstream.send(number + 1) }
      trace("end of \(number)")
      return .none
    }
    setup.send(1)
    expectNoDifference(setup.trace.lines, ["1", "end of 1", "2", "end of 2", "3", "end of 3"])
  }

  @Test(
    "A gate that downstream closes holds what waits behind its call",
    arguments: BusKind.allCases
  )
  func nestedClose(_ kind: BusKind) {
    let kept: [(LifecycleGateHolding, [String], [String])] = [
      (.none, ["ask max(2)"], []), (.latest, ["ask max(1)"], ["3"]),
      (.all(limit: 5, whenFull: .dropOldest), [], ["2", "3"]),
    ]
    for (holding, asked, handedOut) in kept {
      let setup = Setup(kind, holding, demand: .max(9))
      setup.downstream.onValue = {
        [trace = setup.trace, upstream = setup.upstream, bus = setup.bus] in
        guard $0 == 1 else { return .none }
        upstream.send(2)
        upstream.send(3)
        bus.send(.willResignActive)
        trace("closed")
        return .none
      }
      setup.send(1)
      expectNoDifference(setup.trace.take(), ["1"] + asked + ["closed"])
      setup.bus.send(.didBecomeActive)
      expectNoDifference(setup.trace.take(), handedOut)
    }
  }

  @Test("A phase sent from inside what is handed out comes after that", arguments: BusKind.allCases)
  func nestedSend(_ kind: BusKind) {
    let setup = Setup(kind, .all(limit: 5, whenFull: .dropOldest))
    setup.bus.send(.willResignActive)
    setup.send(1, 2, 3)
    setup.downstream.onValue = { [bus = setup.bus] in
      if $0 == 1 { bus.send(.willResignActive) }
      return .none
    }
    setup.bus.send(.didBecomeActive)
    setup.send(4)
    expectNoDifference(setup.trace.lines, ["1", "2", "3"])
  }

  @Test("The gate's line is among the bus's subscriptions", arguments: BusKind.allCases)
  func location(_ kind: BusKind) {
    let bus = kind.make()
    let upstream = ProbePublisher(Trace())
    let downstream = ProbeSubscriber(Trace())
    upstream.gate(atLeast: .active, on: bus, holding: .none).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    expectNoDifference(bus.liveSubscriptions.map(\.location.fileID), [#fileID])
    downstream.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
