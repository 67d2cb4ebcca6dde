import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
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

  @Test("events keeps what was not asked for, in order", arguments: BusKind.allCases)
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

  @Test("Demands that exceed the greatest integer are unlimited", arguments: BusKind.allCases)
  func greatestDemand(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace, demand: .max(.max - 1))
    bus.events.subscribe(subscriber)
    subscriber.request(.max - 1)
    send(bus, 1...3)
    expectNoDifference(trace.take(), ["subscription", "1", "2", "3"])
    subscriber.cancel()
  }

  @Test("Each stream honours demand", arguments: BusKind.allCases)
  func everyStream(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let events = RawSubscriber<LifecycleEvent>(trace) { $0.shortLine }
    let stays = RawSubscriber<BackgroundStay>(trace) { _ in "stay" }
    let suppressed = RawSubscriber<SuppressedInput>(trace) { $0.line }
    bus.publisher(for: .didEnterBackground).subscribe(events)
    bus.backgroundStays.subscribe(stays)
    bus.suppressedInputs.subscribe(suppressed)
    for _ in 1...2 {
      bus.send(all: .didEnterBackground, .didEnterBackground, .willEnterForeground)
    }
    expectNoDifference(trace.take(), Array(repeating: "subscription", count: 3))
    events.request(1)
    stays.request(1)
    suppressed.request(1)
    expectNoDifference(
      trace.take(),
      ["3 didEnterBackground", "stay", "didEnterBackground duplicate manual"]
    )
    events.request(5)
    stays.request(5)
    suppressed.request(5)
    expectNoDifference(
      trace.take(),
      ["5 didEnterBackground", "stay", "didEnterBackground duplicate manual"]
    )
    events.cancel()
    stays.cancel()
    suppressed.cancel()
  }

  @Test("phases keeps the latest", arguments: BusKind.allCases)
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

  @Test(
    "A subscriber that asks for more in its turn gets it in the next",
    arguments: BusKind.allCases
  )
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

  @Test("A request from inside receive is served, in order", arguments: BusKind.allCases)
  func requestFromInsideReceive(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace)
    subscriber.furtherDemand = { [unowned subscriber] _ in
      subscriber.request(1)
      return .none
    }
    bus.events.subscribe(subscriber)
    send(bus, 1...5)
    subscriber.request(1)
    send(bus, 6...7)
    expectNoDifference(trace.lines, ["subscription"] + (1...7).map(String.init))
    subscriber.cancel()
  }

  @Test("Unlimited demand stays unlimited, also on top of the largest", arguments: BusKind.allCases)
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

  @Test("A subscriber that leaves in its turn gets nothing more", arguments: BusKind.allCases)
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

  @Test("One that cancels when it gets its subscription gets nothing", arguments: BusKind.allCases)
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
    #expect(bus.liveSubscriptions.isEmpty)
    cancellable.cancel()
  }

  @Test("Nothing comes before the subscription has been received", arguments: BusKind.allCases)
  func subscriptionComesFirst(_ kind: BusKind) async {
    for sendsElsewhere in [false, true] {
      for last: LifecycleEvent.Kind in [.willEnterForeground, .willTerminate] {
        let bus = kind.make()
        let trace = Trace()
        let send: @Sendable () -> Void = { [unowned bus] in bus.send(last) }
        let received: (any Subscription) -> Void = {
          $0.request(.unlimited)
          if sendsElsewhere { onOtherThread(send) } else { send() }
          trace("subscription")
        }
        let events = EagerSubscriber<LifecycleEvent>(trace, received) { $0.kind.rawValue }
        bus.events.subscribe(events)
        await mainQueueToDrain()
        expectNoDifference(
          trace.take(),
          last == .willTerminate
            ? ["subscription", "willTerminate", "finished"]
            : ["subscription", "didFinishLaunching", "willEnterForeground"]
        )
        let late = kind.make()
        let sendLate: @Sendable () -> Void = { [unowned late] in late.send(last) }
        let phases = EagerSubscriber<LifecyclePhase>(trace) {
          $0.request(.unlimited)
          if sendsElsewhere { onOtherThread(sendLate) } else { sendLate() }
          trace("subscription")
        } describe: {
          $0.rawValue
        }
        late.phases.subscribe(phases)
        await mainQueueToDrain()
        let lines = trace.take()
        expectNoDifference(lines.first, "subscription")
        expectNoDifference(lines.last, last == .willTerminate ? "finished" : "inactive")
      }
    }
  }

  /// A subscriber that does something of its own when it gets its subscription.
  private final class EagerSubscriber<Input>: Subscriber {
    typealias Failure = Never

    private let trace: Trace
    private let received: (any Subscription) -> Void
    private let describe: (Input) -> String

    init(
      _ trace: Trace,
      _ received: @escaping (any Subscription) -> Void,
      describe: @escaping (Input) -> String
    ) {
      self.trace = trace
      self.received = received
      self.describe = describe
    }

    func receive(subscription: any Subscription) { received(subscription) }

    func receive(_ input: Input) -> Subscribers.Demand {
      trace(describe(input))
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { trace("finished") }
  }

  @Test("The completion comes after the buffered values", arguments: BusKind.allCases)
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

  @Test(
    "Buffered values survive until they are asked for, and go when it is cancelled",
    arguments: BusKind.allCases
  )
  func cancelledWithValuesLeft(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let subscriber = eventSubscriber(trace)
    bus.events.subscribe(subscriber)
    send(bus, 1...3)
    bus.send(.willTerminate)
    subscriber.request(1)
    subscriber.cancel()
    subscriber.subscription?.request(.unlimited)
    expectNoDifference(trace.lines, ["subscription", "1"])
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

  @Test("values of phases ends with the end", arguments: BusKind.allCases)
  func valuesOfPhases(_ kind: BusKind) async {
    let bus = kind.make()
    var iterator = bus.phases.values.makeAsyncIterator()
    let first = await iterator.next()
    bus.send(.didBecomeActive)
    bus.send(.willTerminate)
    var last = first
    while let phase = await iterator.next() { last = phase }
    expectNoDifference(first, .unknown)
    expectNoDifference(last, .terminated)
  }

  @Test(
    "A slow reader of phases misses only those that have changed again",
    arguments: BusKind.allCases
  )
  func slowReaderOfPhases(_ kind: BusKind) async {
    let bus = kind.make()
    var iterator = bus.phases.values.makeAsyncIterator()
    #expect(await iterator.next() == .unknown)
    bus.send(.didBecomeActive)
    #expect(await iterator.next() == .active)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    #expect(await iterator.next() == .inactive)
    bus.send(.willTerminate)
    #expect(await iterator.next() == .terminated)
    #expect(await iterator.next() == nil)
  }

  @Test("A slow reader of stays and suppressed inputs loses none", arguments: BusKind.allCases)
  func slowReaderOfOtherStreams(_ kind: BusKind) async {
    let bus = kind.make()
    var stays = bus.backgroundStays.values.makeAsyncIterator()
    var suppressed = bus.suppressedInputs.values.makeAsyncIterator()
    for _ in 1...3 {
      bus.send(all: .didEnterBackground, .didEnterBackground, .willEnterForeground)
    }
    for _ in 1...3 {
      #expect(await stays.next() != nil)
      #expect(await suppressed.next()?.kind == .didEnterBackground)
    }
    bus.send(.willTerminate)
    #expect(await stays.next() == nil)
  }
}
