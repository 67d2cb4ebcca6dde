import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G10 Nothing lost under back-pressure")
struct G10BackPressureTests {
  private func send(_ bus: any LifecycleBusProtocol, _ numbers: ClosedRange<Int>) {
    for number in numbers { bus.send(.systemDidWake, metadata: ["number": "\(number)"]) }
  }

  private func eventSubscriber(
    _ trace: Trace,
    demand: Subscribers.Demand = .none
  ) -> RawSubscriber<LifecycleEvent> {
    RawSubscriber(trace, demand: demand) { $0.metadata["number"] ?? $0.kind.rawValue }
  }

  @Test("events keeps in order what was not requested", arguments: BusKind.allCases)
  func eventsAreKept(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace)
    bus.events.subscribe(subscriber)
    expectNoDifference(trace.take(), ["subscription"])
    send(bus, 1...5)
    expectNoDifference(trace.take(), [])
    subscriber.request(2)
    expectNoDifference(trace.take(), ["1", "2"])
    send(bus, 6...6)
    expectNoDifference(trace.take(), [])
    subscriber.request(1)
    subscriber.request(10)
    expectNoDifference(trace.take(), ["3", "4", "5", "6"])
    // Seven asked for and not yet used.
    send(bus, 7...15)
    expectNoDifference(trace.take(), (7...13).map(String.init))
    subscriber.cancel()
    subscriber.request(5)
    send(bus, 16...20)
    expectNoDifference(trace.take(), [])
  }

  @Test("phases keeps the latest value", arguments: BusKind.allCases)
  func latestPhase(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = RawSubscriber<LifecyclePhase>(trace) { $0.rawValue }
    bus.phases.subscribe(subscriber)
    bus.send(.didBecomeActive)
    subscriber.request(1)
    bus.send(all: .willResignActive, .didEnterBackground)
    subscriber.request(1)
    subscriber.request(1)
    bus.send(.willEnterForeground)
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["subscription", "active", "background", "inactive"])
    subscriber.request(1)
    expectNoDifference(trace.take(), ["terminated", "finished"])
  }

  @Test("No phase follows itself, whatever is lost in between", arguments: BusKind.allCases)
  func noPhaseFollowsItself(_ kind: BusKind) async {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    bus!.send(.didBecomeActive)
    let trace = Trace()
    let subscriber = RawSubscriber<LifecyclePhase>(trace) { $0.rawValue }
    bus!.phases.subscribe(subscriber)
    subscriber.request(1)
    var values = bus!.phases.values.makeAsyncIterator()
    var newest = bus!.phases.asyncSequence(buffering: .bufferingNewest(1)).makeAsyncIterator()
    var oldest = bus!.phases.asyncSequence(buffering: .bufferingOldest(1)).makeAsyncIterator()
    var received: [LifecyclePhase?] = await [values.next(), newest.next(), oldest.next()]
    expectNoDifference(trace.take(), ["subscription", "active"])
    expectNoDifference(received, [.active, .active, .active])
    bus!.send(all: .willResignActive, .didBecomeActive)
    received = await [oldest.next()]
    expectNoDifference(received, [.inactive])
    bus!.send(all: .willResignActive, .didBecomeActive)
    subscriber.request(1)
    bus = nil
    received = await [values.next(), newest.next(), oldest.next()]
    expectNoDifference(trace.take(), ["finished"])
    expectNoDifference(received, [nil, nil, .active])
  }

  @Test("Demand returned by a subscriber counts from the next value", arguments: BusKind.allCases)
  func demandReturnedByReceive(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace, demand: .max(1))
    // Doubles its demand up to the third value, then asks for no more.
    subscriber.furtherDemand = { event in
      Int(event.metadata["number"]!)! <= 3 ? .max(2) : .none
    }
    bus.events.subscribe(subscriber)
    send(bus, 1...10)
    expectNoDifference(trace.lines, ["subscription"] + (1...7).map(String.init))
    subscriber.cancel()
  }

  @Test("Unlimited demand stays unlimited after further requests", arguments: BusKind.allCases)
  func unlimitedDemandStaysUnlimited(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace)
    bus.events.subscribe(subscriber)
    send(bus, 1...2)
    subscriber.request(.max)
    subscriber.request(.max)
    subscriber.subscription?.request(.unlimited)
    subscriber.request(1)
    send(bus, 3...50)
    expectNoDifference(trace.lines, ["subscription"] + (1...50).map(String.init))
    subscriber.cancel()
  }

  @Test("A subscriber that cancels in its turn gets nothing more", arguments: BusKind.allCases)
  func cancelsInReceive(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace)
    subscriber.furtherDemand = { [unowned subscriber] _ in
      subscriber.cancel()
      return .unlimited
    }
    bus.events.subscribe(subscriber)
    send(bus, 1...3)
    subscriber.subscription?.request(.unlimited)
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["subscription", "1"])
  }

  @Test("A subscriber that cancels its new subscription gets nothing", arguments: BusKind.allCases)
  func cancelsInReceiveSubscription(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let cancellable = bus.phases
      .handleEvents(receiveSubscription: { $0.cancel() })
      .sink { _ in
        trace("finished")
      } receiveValue: {
        trace("\($0)")
      }
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    cancellable.cancel()
  }

  @Test(
    "A subscriber receives its subscription before any value",
    arguments: BusKind.allCases,
    [LifecycleEvent.Kind.willEnterForeground, .willTerminate]
  )
  func subscriptionComesFirst(_ kind: BusKind, _ last: LifecycleEvent.Kind) async {
    for sendsElsewhere in [false, true] {
      let bus = kind.make()
      let events = await received(bus.events, of: bus, last, sendsElsewhere, \.kind.rawValue)
      expectNoDifference(
        events,
        last == .willTerminate
          ? ["subscription", "willTerminate", "finished"]
          : ["subscription", "didFinishLaunching", "willEnterForeground"]
      )
      let other = kind.make()
      let phases = await received(other.phases, of: other, last, sendsElsewhere, \.rawValue)
      expectNoDifference(phases.first, "subscription")
      expectNoDifference(phases.last, last == .willTerminate ? "finished" : "inactive")
    }
  }

  /// Returns what a subscriber receives that sends as soon as it has its subscription.
  private func received<Output>(
    _ stream: LifecyclePublisher<Output>,
    of bus: any LifecycleBusProtocol,
    _ kind: LifecycleEvent.Kind,
    _ sendsElsewhere: Bool,
    _ describe: @escaping (Output) -> String
  ) async -> [String] {
    let trace = Trace()
    let send: @Sendable () -> Void = { bus.send(kind) }
    let received: (any Subscription) -> Void = {
      $0.request(.unlimited)
      if sendsElsewhere { onOtherThread(send) } else { send() }
      trace("subscription")
    }
    stream.subscribe(
      AnySubscriber(
        receiveSubscription: received,
        receiveValue: {
          trace(describe($0))
          return .none
        },
        receiveCompletion: { _ in trace("finished") }
      )
    )
    await mainQueueToDrain()
    return trace.lines
  }

  @Test("The completion follows the buffered values", arguments: BusKind.allCases)
  func completionAfterValues(_ kind: BusKind) {
    for release in [true, false] {
      var bus: (any LifecycleBusProtocol)? = kind.make()
      let trace = Trace()
      let subscriber = eventSubscriber(trace)
      let idle = RawSubscriber<LifecycleEvent>(trace) { $0.shortLine }
      bus!.events.subscribe(subscriber)
      bus!.publisher(for: .didBecomeActive).subscribe(idle)
      send(bus!, 1...3)
      _ = trace.take()
      if release { bus = nil } else { bus!.send(.willTerminate) }
      // The one that has nothing to wait for needs no demand for its completion.
      expectNoDifference(trace.take(), ["finished"])
      subscriber.request(2)
      expectNoDifference(trace.take(), ["1", "2"])
      subscriber.request(5)
      expectNoDifference(
        trace.take(),
        ["3"] + (release ? [] : ["willTerminate"]) + ["finished"]
      )
    }
  }

  @Test("Demand from another thread is served where the bus delivers")
  func demandFromOtherThread() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let subscriber = RawSubscriber<LifecycleEvent>(trace) { event in
      MainActor.assertIsolated()
      return event.shortLine
    }
    bus.events.subscribe(subscriber)
    bus.send(.willEnterForeground)
    onOtherThread { subscriber.request(1) }
    expectNoDifference(trace.take(), ["subscription"])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["1 didFinishLaunching"])
    // The completion, too.
    bus.send(.willTerminate)
    await awaitOtherThread { subscriber.request(5) }
    await mainQueueToDrain()
    expectNoDifference(
      trace.take(),
      ["2 willEnterForeground", "3 didEnterBackground", "4 willTerminate", "finished"]
    )
  }

  @Test("A slow reader of values loses none of a hundred", arguments: BusKind.allCases)
  func slowReader(_ kind: BusKind) async {
    let bus = kind.make()
    var iterator = bus.events.values.makeAsyncIterator()
    var numbers: [String] = []
    for batch in 0..<10 {
      send(bus, batch * 10 + 1...batch * 10 + 10)
      for _ in 1...3 { numbers.append(await iterator.next()?.metadata["number"] ?? "-") }
    }
    bus.send(.willTerminate)
    while let event = await iterator.next() {
      numbers.append(event.metadata["number"] ?? event.kind.rawValue)
    }
    expectNoDifference(numbers, (1...100).map(String.init) + ["willTerminate"])
  }
}
