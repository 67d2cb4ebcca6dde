import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Prefix until")
struct PrefixUntilTests {
  private struct Setup {
    let trace = Trace()
    let upstream: ProbePublisher
    let downstream: ProbeSubscriber

    init(_ bus: some LifecycleBusProtocol, demand: Subscribers.Demand = .unlimited) {
      upstream = ProbePublisher(trace)
      downstream = ProbeSubscriber(trace, demand: demand)
      upstream.prefix(until: [.didEnterBackground, .systemWillSleep], of: bus).subscribe(downstream)
      _ = trace.take()
    }
  }

  @Test("Everything passes until one of the events", arguments: BusKind.allCases)
  func passesUntilTheEvent(_ kind: BusKind) {
    for end in [LifecycleEvent.Kind.didEnterBackground, .systemWillSleep] {
      let bus = kind.make()
      bus.send(.didBecomeActive)
      let setup = Setup(bus)
      setup.upstream.send(1)
      bus.send(.willResignActive)
      setup.upstream.send(2)
      bus.send(end)
      setup.upstream.send(3)
      setup.upstream.send(completion: .failure(.broken))
      bus.send(end)
      expectNoDifference(setup.trace.lines, ["1", "2", "cancel 1", "finished"])
      #expect(bus.liveSubscriptions.isEmpty)
    }
  }

  @Test("It ends in its turn of the event", arguments: BusKind.allCases)
  func endsInItsTurn(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let before = bus.addObserver(for: [.systemWillSleep]) { _ in trace("before") }
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    let after = bus.addObserver(for: [.systemWillSleep]) { _ in trace("after") }
    _ = trace.take()
    bus.send(.systemWillSleep)
    expectNoDifference(trace.lines, ["before", "cancel 1", "finished", "after"])
    before.cancel()
    after.cancel()
  }

  @Test("On a main-actor bus it ends on the main actor, whoever sends the event")
  func endsOnMainActor() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onCompletion = { trace("on the main actor: \(MainQueue.isCurrent)") }
    ProbePublisher(trace).prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    _ = trace.take()
    onOtherThread {
      bus.send(.systemWillSleep)
      trace("sent")
    }
    expectNoDifference(trace.take(), ["sent"])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["cancel 1", "finished", "on the main actor: true"])
  }

  @Test("An event in delivery does not count", arguments: BusKind.allCases)
  func subscribedDuringDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    let upstream = ProbePublisher(trace)
    let token = bus.addObserver(for: [.systemWillSleep]) { event in
      guard event.sequenceNumber == 1 else { return }
      upstream.prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    }
    bus.send(.systemWillSleep)
    upstream.send(1)
    bus.send(.systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "1", "cancel 1", "finished"]
    )
    token.cancel()
  }

  @Test("An event from inside receive(subscription:) does not count", arguments: BusKind.allCases)
  func sentInSubscription(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onSubscription = { bus.send(.systemWillSleep) }
    ProbePublisher(trace).prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    bus.send(.systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    downstream.onSubscription = {}
  }

  @Test("Demand passes through", arguments: BusKind.allCases)
  func demandPassesThrough(_ kind: BusKind) {
    let bus = kind.make()
    let setup = Setup(bus, demand: .none)
    setup.downstream.request(.max(1))
    setup.downstream.onValue = { $0 == 1 ? .max(2) : .none }
    setup.upstream.send(1)
    setup.upstream.send(2)
    setup.downstream.request(.unlimited)
    setup.downstream.request(.max(3))
    expectNoDifference(
      setup.trace.lines,
      ["ask max(1)", "1", "more max(2)", "2", "ask unlimited"]
    )
  }

  @Test("Upstream's completion passes", arguments: BusKind.allCases)
  func upstreamCompletionPasses(_ kind: BusKind) {
    for (completion, line) in StreamEnd.completions {
      let bus = kind.make()
      let setup = Setup(bus)
      setup.upstream.send(1)
      setup.upstream.send(completion: completion)
      setup.upstream.send(2)
      #expect(bus.liveSubscriptions.isEmpty)
      bus.send(.didEnterBackground)
      expectNoDifference(setup.trace.lines, ["1", line])
    }
  }

  @Test("The end of the bus finishes", arguments: BusKind.allCases)
  func endOfBus(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let terminated = Setup(bus!)
    bus!.send(.willTerminate)
    expectNoDifference(terminated.trace.lines, ["cancel 1", "finished"])
    bus = kind.make()
    let released = Setup(bus!)
    bus = nil
    expectNoDifference(released.trace.lines, ["cancel 1", "finished"])
  }

  @Test("The end of the bus lets what waits behind a call pass", arguments: BusKind.allCases)
  func endOfBusInsideCall(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let setup = Setup(bus!)
    setup.downstream.onValue = { [upstream = setup.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      // `willTerminate` and the release end it alike.
      bus = nil
      return .none
    }
    setup.upstream.send(1)
    expectNoDifference(setup.trace.lines, ["1", "cancel 1", "2", "finished"])
    setup.downstream.onValue = { _ in .none }
  }

  @Test("On a bus that has ended it finishes without subscribing", arguments: BusKind.allCases)
  func endedBefore(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willTerminate)
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).prefix(until: .didBecomeActive, of: bus).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription", "finished"])
  }

  @Test(
    "The event from inside downstream's call ends after it and what waits",
    arguments: BusKind.allCases
  )
  func nestedEnd(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let setup = Setup(bus)
    setup.downstream.onValue = { [trace = setup.trace, upstream = setup.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(.didEnterBackground)
      upstream.send(3)
      trace("end of 1")
      return .max(1)
    }
    setup.upstream.send(1)
    expectNoDifference(setup.trace.lines, ["1", "cancel 1", "end of 1", "2", "finished"])
    setup.downstream.onValue = { _ in .none }
  }

  @Test(
    "Cancelled twice, from inside a call, inside receive(subscription:)",
    arguments: BusKind.allCases
  )
  func cancelledTwiceAndFromInside(_ kind: BusKind) {
    let bus = kind.make()
    let setup = Setup(bus)
    setup.downstream.onValue = { [unowned downstream = setup.downstream] _ in
      downstream.cancel()
      downstream.cancel()
      return .none
    }
    setup.upstream.send(1)
    setup.upstream.send(2)
    bus.send(.didEnterBackground)
    expectNoDifference(setup.trace.lines, ["1", "cancel 1"])
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onSubscription = { [unowned downstream] in downstream.cancel() }
    ProbePublisher(trace).prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription"])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Nothing is retained after the end", arguments: BusKind.allCases, StreamEnd.allCases)
  func nothingIsRetained(_ kind: BusKind, _ end: StreamEnd) {
    let bus = kind.make()
    let trace = Trace()
    var upstream: ProbePublisher? = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let weakUpstream = Weak(upstream!)
    upstream!.prefix(until: .didEnterBackground, of: bus).subscribe(downstream)
    switch end {
    case .cancelled: downstream.cancel()
    case .finished: upstream!.send(completion: .finished)
    case .busEnded: bus.send(.didEnterBackground)
    }
    upstream!.forgetSubscribers()
    upstream = nil
    #expect(!weakUpstream.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Its line is among the bus's subscriptions", arguments: BusKind.allCases)
  func prefixLineIsAmongSubscriptionsOfBus(_ kind: BusKind) {
    let bus = kind.make()
    let downstream = ProbeSubscriber(Trace())
    ProbePublisher(Trace()).prefix(until: .willTerminate, of: bus).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    downstream.cancel()
  }
}
