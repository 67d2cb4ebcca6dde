import CustomDump
import LifecycleTesting
import OpenCombineShim
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("Subscribe while")
struct SubscribeWhileTests {
  /// An upstream that is subscribed to while the process is active, on an inactive bus.
  private struct Setup {
    let trace = Trace()
    let bus: any TestedBus
    let upstream: ProbePublisher
    let downstream: ProbeSubscriber

    init(
      _ kind: BusKind,
      demand: Subscribers.Demand = .unlimited,
      _ prepare: (ProbePublisher, any TestedBus) -> Void = { _, _ in }
    ) {
      bus = kind.make()
      bus.send(.willEnterForeground)
      upstream = ProbePublisher(trace)
      prepare(upstream, bus)
      downstream = ProbeSubscriber(trace, demand: demand)
      upstream.subscribe(whileAtLeast: .active, on: bus).subscribe(downstream)
      _ = trace.take()
    }
  }

  @Test("Subscribed in the phase, cancelled out of it", arguments: BusKind.allCases)
  func comesAndGoes(_ kind: BusKind) {
    let setup = Setup(kind)
    expectNoDifference(setup.upstream.count, 0)
    setup.bus.send(.didBecomeActive)
    setup.upstream.send(1)
    setup.bus.send(.willResignActive)
    setup.upstream[1].send(Probe(2))
    setup.bus.send(.didEnterBackground)
    setup.bus.send(.didBecomeActive)
    setup.upstream[1].send(Probe(3))
    setup.upstream[1].complete(.failure(.broken))
    setup.upstream.send(4)
    expectNoDifference(
      setup.trace.lines,
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
    ProbePublisher(trace).subscribe(whileAtMost: .background, on: bus).subscribe(downstream)
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
      upstream.subscribe(whileAtLeast: .active, on: bus).subscribe(downstream)
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

  // MARK: Demand

  @Test("What was not delivered carries over", arguments: BusKind.allCases)
  func demandCarriesOver(_ kind: BusKind) {
    let setup = Setup(kind, demand: .max(3))
    setup.bus.send(.didBecomeActive)
    setup.downstream.onValue = { $0 == 1 ? .max(1) : .none }
    setup.upstream.send(1)
    setup.bus.send(.willResignActive)
    setup.downstream.request(.max(2))
    expectNoDifference(
      setup.trace.take(),
      ["subscribe 1", "ask max(3)", "1", "more max(1)", "cancel 1"]
    )
    setup.bus.send(.didBecomeActive)
    setup.upstream.send(2)
    setup.downstream.request(.max(4))
    expectNoDifference(setup.trace.take(), ["subscribe 2", "ask max(5)", "2", "ask max(4)"])
    #expect(setup.upstream[2].asked == .max(8))
  }

  @Test("Nothing is asked for that nobody wants", arguments: BusKind.allCases)
  func noDemand(_ kind: BusKind) {
    let setup = Setup(kind, demand: .none)
    setup.bus.send(.didBecomeActive)
    setup.bus.send(.willResignActive)
    expectNoDifference(setup.trace.lines, ["subscribe 1", "cancel 1"])
  }

  @Test(
    "What waits behind a call when the phase is left is owed again",
    arguments: BusKind.allCases
  )
  func waitingIsOwed(_ kind: BusKind) {
    let setup = Setup(kind, demand: .max(3))
    setup.bus.send(.didBecomeActive)
    setup.downstream.onValue = { [bus = setup.bus, upstream = setup.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      bus.send(.willResignActive)
      bus.send(.didBecomeActive)
      return .max(10)
    }
    setup.upstream[1].send(Probe(1))
    // The subscription that the value came from is no more: its successor is asked.
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "ask max(3)", "1", "cancel 1", "subscribe 2", "ask max(2)", "ask max(10)"]
    )
    #expect(setup.upstream[2].asked == .max(12))
  }

  // MARK: Completion

  @Test("An upstream that finishes comes back on the next arrival", arguments: BusKind.allCases)
  func finishes(_ kind: BusKind) {
    let setup = Setup(kind, demand: .max(5))
    setup.bus.send(.didBecomeActive)
    setup.upstream.send(1)
    setup.upstream.send(completion: .finished)
    setup.upstream.send(2)
    setup.upstream.send(completion: .failure(.broken))
    setup.bus.send(.systemDidWake)
    setup.bus.send(.willResignActive)
    setup.bus.send(.didBecomeActive)
    setup.upstream.send(3)
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "ask max(5)", "1", "subscribe 2", "ask max(4)", "3"]
    )
  }

  @Test("A failure ends it", arguments: BusKind.allCases)
  func fails(_ kind: BusKind) {
    let setup = Setup(kind)
    setup.bus.send(.didBecomeActive)
    setup.upstream.send(completion: .failure(.broken))
    expectNoDifference(setup.trace.lines, ["subscribe 1", "ask unlimited", "failed"])
    #expect(setup.bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "A failure comes after what waits before it, though the phase is left",
    arguments: BusKind.allCases
  )
  func failsBehindValues(_ kind: BusKind) {
    let setup = Setup(kind)
    setup.bus.send(.didBecomeActive)
    setup.downstream.onValue = { [bus = setup.bus, upstream = setup.upstream] number in
      guard number == 1 else { return .none }
      upstream.send(2)
      upstream.send(completion: .failure(.broken))
      bus.send(.willResignActive)
      bus.send(.didBecomeActive)
      return .none
    }
    setup.upstream.send(1)
    expectNoDifference(setup.trace.lines, ["subscribe 1", "ask unlimited", "1", "2", "failed"])
  }

  @Test("An event that is heard before the row has left does not subscribe after a failure")
  func hearsAfterFailure() {
    var machine = SubscribeWhileMachine(.atLeast(.active))
    let active = DeliveredState(phase: .active, sequenceNumber: 1)
    let inactive = DeliveredState(phase: .inactive, sequenceNumber: 2)
    _ = machine.downstreamDidSubscribe()
    _ = machine.join(at: active)
    _ = machine.connect(1)
    // The first value is being handed out, the second and the failure wait behind it.
    for _ in 1...2 { _ = machine.receiveValue(from: 1, at: nil) }
    #expect(machine.receive(.failure, from: 1).leavesBus)
    #expect(machine.hear(inactive).dropped.isEmpty)
    #expect(machine.hear(active).upstream == nil)
    #expect(machine.callDidReturn(.none).call == .value)
    #expect(machine.callDidReturn(.none).call == .completion(.failure))
  }

  @Test("The end of the bus finishes, inside the phase and outside", arguments: BusKind.allCases)
  func endOfBus(_ kind: BusKind) {
    let outside = Setup(kind)
    outside.bus.send(.willTerminate)
    expectNoDifference(outside.trace.lines, ["finished"])
    let inside = Setup(kind)
    inside.bus.send(.didBecomeActive)
    inside.bus.send(.willTerminate)
    expectNoDifference(
      inside.trace.lines,
      ["subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    #expect(inside.bus.liveSubscriptions.isEmpty)
    // Subscribed to the very end.
    let bus = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    let upstream = ProbePublisher(trace)
    upstream.subscribe(whileAtMost: .background, on: bus).subscribe(downstream)
    downstream.onValue = { _ in
      upstream.send(2)
      bus.send(.willTerminate)
      return .none
    }
    upstream.send(1)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 1", "ask unlimited", "1", "cancel 1", "finished"]
    )
    downstream.onValue = { _ in .none }
  }

  @Test("A released bus, and one that has ended", arguments: BusKind.allCases)
  func releasedBus(_ kind: BusKind) {
    var bus: (any TestedBus)? = kind.make()
    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    let publisher = ProbePublisher(trace).subscribe(whileAtMost: .background, on: bus!)
    publisher.subscribe(downstream)
    bus = nil
    expectNoDifference(
      trace.take(),
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    let late = ProbeSubscriber(trace)
    publisher.subscribe(late)
    expectNoDifference(trace.lines.last, "finished")
  }

  // MARK: Re-entrancy

  @Test("An upstream that sends and finishes inside subscribe", arguments: BusKind.allCases)
  func synchronous(_ kind: BusKind) {
    let setup = Setup(kind) { upstream, _ in
      upstream.hook { hooks in
        hooks.request = { subscription in
          subscription.send(Probe(subscription.number * 10))
          subscription.send(Probe(subscription.number * 10 + 1))
          subscription.complete(.finished)
        }
      }
    }
    setup.bus.send(.didBecomeActive)
    setup.bus.send(.willResignActive)
    setup.bus.send(.didBecomeActive)
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "ask unlimited", "10", "11", "subscribe 2", "ask unlimited", "20", "21"]
    )
  }

  @Test("An upstream that moves the bus from inside subscribe", arguments: BusKind.allCases)
  func movesInSubscribe(_ kind: BusKind) {
    let setup = Setup(kind) { upstream, bus in
      upstream.hook { hooks in
        hooks.subscribe = { [weak bus] subscription in
          if subscription.number < 3 { bus?.send(all: .willResignActive, .didBecomeActive) }
        }
      }
    }
    setup.bus.send(.didBecomeActive)
    expectNoDifference(
      setup.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "subscribe 2", "ask unlimited", "cancel 2",
        "subscribe 3", "ask unlimited",
      ]
    )
    #expect(setup.upstream.liveCount == 1)
  }

  @Test("An upstream that moves the bus from inside cancel", arguments: BusKind.allCases)
  func movesInCancel(_ kind: BusKind) {
    let setup = Setup(kind) { upstream, bus in
      upstream.hook { hooks in
        hooks.cancel = { [weak bus] _ in _ = bus?.send(.didBecomeActive) }
      }
    }
    setup.bus.send(.didBecomeActive)
    setup.bus.send(.willResignActive)
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "ask unlimited", "cancel 1", "subscribe 2", "ask unlimited"]
    )
  }

  @Test("An upstream that cancels slowly has been cancelled before the next is subscribed to")
  func slowCancel() {
    let setup = Setup(.nonisolated)
    setup.upstream.hook { [trace = setup.trace, bus = setup.bus] hooks in
      hooks.cancel = { _ in
        // The next arrival is accepted meanwhile, from another thread.
        let outcome = onOtherThread { bus.send(.didBecomeActive) }
        trace("cancelled, \(outcome.line)")
      }
    }
    setup.bus.send(.didBecomeActive)
    setup.bus.send(.willResignActive)
    expectNoDifference(
      setup.trace.lines,
      [
        "subscribe 1", "ask unlimited", "cancel 1", "cancelled, queued", "subscribe 2",
        "ask unlimited",
      ]
    )
    setup.upstream.hook { $0 = ProbePublisher.Hooks() }
  }

  @Test(
    "A subscription that comes after the phase was left is cancelled",
    arguments: BusKind.allCases
  )
  func lateSubscription(_ kind: BusKind) {
    let setup = Setup(kind) { upstream, _ in upstream.hook { $0.isLate = true } }
    setup.bus.send(.didBecomeActive)
    setup.bus.send(.willResignActive)
    setup.upstream[1].begin()
    setup.bus.send(.didBecomeActive)
    setup.upstream[1].begin()
    setup.upstream[2].begin()
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "cancel 1", "subscribe 2", "cancel 1", "ask unlimited"]
    )
  }

  @Test("Downstream moves the bus from inside its call", arguments: BusKind.allCases)
  func nestedSend(_ kind: BusKind) {
    let setup = Setup(kind)
    setup.bus.send(.didBecomeActive)
    setup.downstream.onValue = { [bus = setup.bus, trace = setup.trace] _ in
      bus.send(.willResignActive)
      trace("left")
      return .none
    }
    setup.upstream.send(1)
    setup.upstream.send(2)
    expectNoDifference(
      setup.trace.lines,
      ["subscribe 1", "ask unlimited", "1", "cancel 1", "left"]
    )
  }

  // MARK: Cancellation

  @Test("Cancelled outside and inside the phase, twice", arguments: BusKind.allCases)
  func cancelled(_ kind: BusKind) {
    for isInside in [true, false] {
      let setup = Setup(kind)
      if isInside { setup.bus.send(.didBecomeActive) }
      _ = setup.trace.take()
      setup.downstream.cancel()
      setup.downstream.cancel()
      setup.bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive, .willTerminate)
      expectNoDifference(setup.trace.lines, isInside ? ["cancel 1"] : [])
      #expect(setup.bus.liveSubscriptions.isEmpty)
    }
  }

  @Test(
    "Cancelled from inside subscribe, receive(subscription:) and downstream's call",
    arguments: BusKind.allCases
  )
  func cancelledInside(_ kind: BusKind) {
    let setup = Setup(kind)
    setup.upstream.hook { hooks in
      hooks.subscribe = { [weak downstream = setup.downstream] _ in downstream?.cancel() }
    }
    setup.bus.send(.didBecomeActive)
    expectNoDifference(setup.trace.lines, ["subscribe 1", "cancel 1"])

    let trace = Trace()
    let downstream = ProbeSubscriber(trace)
    downstream.onSubscription = { [unowned downstream] in downstream.cancel() }
    ProbePublisher(trace).subscribe(whileAtLeast: .inactive, on: setup.bus).subscribe(downstream)
    expectNoDifference(trace.lines, ["subscription"])

    let third = Setup(kind)
    third.bus.send(.didBecomeActive)
    third.downstream.onValue = { [unowned downstream = third.downstream] _ in
      downstream.cancel()
      return .max(1)
    }
    third.upstream.send(1)
    third.upstream.send(2)
    expectNoDifference(third.trace.lines, ["subscribe 1", "ask unlimited", "1", "cancel 1"])
  }

  @Test("Nothing is retained after the end", arguments: BusKind.allCases, GateEndTests.End.allCases)
  func leaks(_ kind: BusKind, _ end: GateEndTests.End) {
    let bus = kind.make()
    let trace = Trace()
    var upstream: ProbePublisher? = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let weakUpstream = Weak(upstream!)
    upstream!.subscribe(whileAtLeast: .active, on: bus).subscribe(downstream)
    bus.send(.didBecomeActive)
    upstream!.send(1)
    switch end {
    case .cancelled: downstream.cancel()
    case .finished: upstream!.send(completion: .failure(.broken))
    case .busEnded: bus.send(.willTerminate)
    }
    upstream!.forgetSubscribers()
    upstream = nil
    #expect(!weakUpstream.isAlive)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Its line is among the bus's subscriptions", arguments: BusKind.allCases)
  func location(_ kind: BusKind) {
    let bus = kind.make()
    let downstream = ProbeSubscriber(Trace())
    ProbePublisher(Trace()).subscribe(whileAtMost: .active, on: bus).subscribe(downstream)
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [#line - 1])
    downstream.cancel()
  }
}
