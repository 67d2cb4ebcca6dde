import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate: completion, the end of the bus, cancellation")
struct GateEndTests {
  private struct Setup {
    let trace = Trace()
    let upstream: ProbePublisher
    let downstream: ProbeSubscriber

    init(_ bus: some LifecycleBusProtocol, _ buffering: Publishers.LifecycleGateBuffering = .latest)
    {
      upstream = ProbePublisher(trace)
      downstream = ProbeSubscriber(trace)
      upstream.gate(.atLeast(.active), of: bus, buffering: buffering).subscribe(downstream)
      _ = trace.take()
    }
  }

  @Test("With nothing held, a completion passes, open or closed", arguments: BusKind.allCases)
  func completionPassesWithNothingHeld(_ kind: BusKind) {
    for (completion, line) in StreamEnd.completions {
      for event in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground] {
        let bus = kind.make()
        let setup = Setup(bus)
        bus.send(event)
        setup.upstream.send(completion: completion)
        expectNoDifference(setup.trace.lines, [line])
        #expect(bus.liveSubscriptions.isEmpty)
      }
    }
  }

  @Test("A completion waits for what is held", arguments: BusKind.allCases)
  func completionWaits(_ kind: BusKind) {
    for (completion, line) in StreamEnd.completions {
      let bus = kind.make()
      let setup = Setup(bus)
      setup.upstream.send(1)
      setup.upstream.send(completion: completion)
      // A breach of the protocol changes nothing.
      setup.upstream.send(2)
      setup.upstream.send(completion: .finished)
      expectNoDifference(setup.trace.lines, [])
      bus.send(.didBecomeActive)
      expectNoDifference(setup.trace.lines, ["1", line])
      #expect(bus.liveSubscriptions.isEmpty)
    }
  }

  @Test("The end of the bus finishes, open or closed, and drops what is held")
  func endOfBus() {
    for kind in BusKind.allCases {
      for isActive in [true, false] {
        let bus = kind.make()
        let setup = Setup(bus)
        bus.send(isActive ? .didBecomeActive : .didEnterBackground)
        setup.upstream.send(1)
        bus.send(.willTerminate)
        expectNoDifference(setup.trace.lines, (isActive ? ["1"] : []) + ["cancel 1", "finished"])
        #expect(bus.liveSubscriptions.isEmpty)
      }
    }
  }

  @Test("A released bus finishes", arguments: BusKind.allCases)
  func releasedBus(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let setup = Setup(bus!)
    setup.upstream.send(1)
    bus = nil
    expectNoDifference(setup.trace.lines, ["cancel 1", "finished"])
  }

  @Test(
    "A failure that waits for what is held is passed on at the end",
    arguments: BusKind.allCases
  )
  func failureAtEndOfBus(_ kind: BusKind) {
    let bus = kind.make()
    let setup = Setup(bus)
    setup.upstream.send(1)
    setup.upstream.send(completion: .failure(.broken))
    bus.send(.willTerminate)
    expectNoDifference(setup.trace.lines, ["failed"])
  }

  @Test("On a bus that has ended it finishes without subscribing", arguments: BusKind.allCases)
  func endedBefore(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willTerminate)
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    ProbePublisher(trace).gate(.atMost(.background), of: bus, buffering: .latest)
      .subscribe(downstream)
    var released: (any LifecycleBusProtocol)? = kind.make()
    let gate = ProbePublisher(trace).gate(.atLeast(.active), of: released!, buffering: .drop)
    released = nil
    let late = ProbeSubscriber(trace)
    gate.subscribe(late)
    expectNoDifference(trace.lines, ["subscription", "finished", "subscription", "finished"])
  }

  @Test("What is just being handed out comes before the end", arguments: BusKind.allCases)
  func endInsideCall(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let setup = Setup(bus)
    setup.downstream.onValue = { [trace = setup.trace, upstream = setup.upstream, bus] _ in
      upstream.send(2)
      bus.send(.willTerminate)
      trace("end of 1")
      return .max(1)
    }
    setup.upstream.send(1)
    expectNoDifference(setup.trace.lines, ["1", "cancel 1", "end of 1", "finished"])
  }

  // MARK: Cancellation

  @Test("Cancelled twice, upstream is cancelled once", arguments: BusKind.allCases)
  func cancelledTwice(_ kind: BusKind) {
    let bus = kind.make()
    let setup = Setup(bus)
    setup.upstream.send(1)
    setup.downstream.cancel()
    setup.downstream.cancel()
    setup.upstream.send(2)
    setup.upstream.send(completion: .finished)
    bus.send(.didBecomeActive)
    bus.send(.willTerminate)
    setup.downstream.request(.max(1))
    expectNoDifference(setup.trace.lines, ["cancel 1"])
  }

  @Test("Cancelled from inside downstream's call", arguments: BusKind.allCases)
  func cancelledInsideCall(_ kind: BusKind) {
    let bus = kind.make()
    let setup = Setup(bus, .all(limit: 5, whenFull: .dropOldest))
    for number in 1...3 { setup.upstream.send(number) }
    setup.downstream.onValue = { [trace = setup.trace, downstream = setup.downstream] number in
      if number == 2 { downstream.cancel() }
      trace("end of \(number)")
      return .max(1)
    }
    bus.send(.didBecomeActive)
    expectNoDifference(setup.trace.lines, ["1", "end of 1", "2", "cancel 1", "end of 2"])
    #expect(bus.liveSubscriptions.isEmpty)
    setup.downstream.onValue = { _ in .none }
  }

  @Test("Cancelled inside receive(subscription:)", arguments: BusKind.allCases)
  func cancelledInSubscription(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onSubscription = { [unowned downstream] in downstream.cancel() }
    ProbePublisher(trace).gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    #expect(bus.liveSubscriptions.isEmpty)
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["subscription"])
  }

  @Test("A subscription that comes after cancelling is cancelled", arguments: BusKind.allCases)
  func lateSubscription(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { $0.isLate = true }
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atMost(.unknown), of: bus, buffering: .drop).subscribe(downstream)
    downstream.cancel()
    upstream[1].begin()
    expectNoDifference(trace.take(), ["subscription", "subscribe 1", "cancel 1"])
    // A second one is cancelled too, while the first goes on.
    let other = ProbeSubscriber(trace)
    upstream.gate(.atMost(.unknown), of: bus, buffering: .drop).subscribe(other)
    upstream[2].begin()
    upstream[2].begin()
    upstream.send(1)
    expectNoDifference(
      trace.take(),
      ["subscription", "subscribe 2", "ask unlimited", "cancel 2", "1"]
    )
  }

  // MARK: Leaks

  @Test("Nothing is retained after the end", arguments: BusKind.allCases, StreamEnd.allCases)
  func nothingIsRetained(_ kind: BusKind, _ end: StreamEnd) {
    let bus = kind.make()
    let trace = Trace()
    var upstream: ProbePublisher? = ProbePublisher(trace)
    var downstream: ProbeSubscriber? = ProbeSubscriber(trace)
    let weakUpstream = Weak(upstream!)
    let weakDownstream = Weak(downstream!)
    weak var held: Canary?
    upstream!.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(downstream!)
    do {
      let canary = Canary()
      held = canary
      upstream![1].send(ProbeValue(1, canary))
    }
    #expect(held != nil)
    switch end {
    case .cancelled: downstream!.cancel()
    case .finished:
      upstream!.send(completion: .finished)
      bus.send(.didBecomeActive)
    case .busEnded: bus.send(.willTerminate)
    }
    #expect(held == nil)
    #expect(bus.liveSubscriptions.isEmpty)
    // Downstream still has the subscription, which holds nothing but itself.
    let subscription = downstream!
    downstream = nil
    upstream!.forgetSubscribers()
    upstream = nil
    #expect(!weakUpstream.isAlive)
    subscription.forget()
    _ = consume subscription
    #expect(!weakDownstream.isAlive)
  }

  private struct HeavyFailure: Error { let canary: Canary }

  @Test("A failure is not retained after the end", arguments: BusKind.allCases, [true, false])
  func failureLeaks(_ kind: BusKind, isCancelled: Bool) {
    let bus = kind.make()
    var upstream: PassthroughSubject<Int, HeavyFailure>? = PassthroughSubject()
    let box = UncheckedBox<any Subscription>()
    upstream!.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(
      AnySubscriber(receiveSubscription: {
        box.value = $0
        $0.request(.unlimited)
      })
    )
    upstream!.send(1)
    weak var failure: Canary?
    do {
      let canary = Canary()
      failure = canary
      upstream!.send(completion: .failure(HeavyFailure(canary: canary)))
    }
    upstream = nil
    #expect(failure != nil)
    if isCancelled { box.value!.cancel() } else { bus.send(.didBecomeActive) }
    #expect(failure == nil)
    box.value = nil
  }

  @Test("The gate does not keep the bus alive", arguments: BusKind.allCases)
  func busIsNotKept(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    weak let weakBus = bus
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let gate = upstream.gate(.atLeast(.active), of: bus!, buffering: .latest)
    let downstream = ProbeSubscriber(trace)
    gate.subscribe(downstream)
    weak let core = bus!.core
    bus = nil
    #expect(weakBus == nil)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    #expect(core != nil)
    _ = consume gate
  }
}
