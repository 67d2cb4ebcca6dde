import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// The behavior that all operators on a bus have in common.
@MainActor
@Suite("Operators on a bus")
struct BusOperatorTests {
  // MARK: The end of the bus

  @Test("An operator does not keep the bus, and ends with it", arguments: BusOperator.allCases)
  func releasedBus(_ form: BusOperator) {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    let trace = Trace()
    let publisher = form(ProbePublisher(trace), bus!)
    publisher.subscribe(ProbeSubscriber(trace))
    bus = nil
    #expect(weakBus == nil)
    expectNoDifference(
      trace.take(),
      ["subscription", "subscribe 1", "ask unlimited", "cancel 1", "finished"]
    )
    publisher.subscribe(ProbeSubscriber(trace))
    expectNoDifference(trace.lines, ["subscription", "finished"])
  }

  @Test(
    "A completion caused inside a call of downstream follows the call",
    arguments: BusOperator.allCases
  )
  func endInsideCall(_ form: BusOperator) {
    let stage = OperatorStage(form)
    stage.downstream.onValue = { [trace = stage.trace, bus = stage.bus] _ in
      bus.send(.willTerminate)
      trace("end of 1")
      return .max(1)
    }
    stage.send(1)
    expectNoDifference(stage.trace.lines, ["1", "cancel 1", "end of 1", "finished"])
  }

  @Test("An operator on an ended bus does not subscribe", arguments: BusOperator.allCases)
  func endedBus(_ form: BusOperator) async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willTerminate)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    form(upstream, bus).subscribe(ProbeSubscriber(trace))
    trace("subscribed")
    expectNoDifference(trace.take(), ["subscription", "finished", "subscribed"])
    // Subscribed to elsewhere.
    let downstream = ProbeSubscriber(trace)
    await awaitOtherThread { form(upstream, bus).subscribe(downstream) }
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["subscription", "finished"])
    // Subscribed to during a delivery.
    let token = bus.suppressedInputs.sink { _ in
      form(upstream, bus).subscribe(ProbeSubscriber(trace))
      trace("subscribed")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribed", "finished"])
    token.cancel()
  }

  // MARK: Upstream and downstream

  @Test("A failure of upstream is passed on, and nothing follows", arguments: BusOperator.allCases)
  func failure(_ form: BusOperator) {
    let stage = OperatorStage(form)
    stage.send(1)
    stage.upstream.send(completion: .failure(.broken))
    stage.send(2)
    stage.upstream.send(completion: .finished)
    stage.bus.send(.willTerminate)
    expectNoDifference(stage.trace.lines, ["1", "failed"])
    #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("Demand is passed on, that which a call returns included", arguments: BusOperator.allCases)
  func demand(_ form: BusOperator) {
    let stage = OperatorStage(demand: .none) { form($0, $1) }
    stage.downstream.request(.max(1))
    stage.downstream.onValue = { $0 == 1 ? .max(2) : .none }
    stage.send(1, 2)
    stage.downstream.request(.unlimited)
    stage.downstream.request(.max(3))
    expectNoDifference(
      stage.trace.lines,
      ["ask max(1)", "1", "more max(2)", "2", "ask unlimited"]
    )
  }

  @Test("A value sent from inside the first request arrives", arguments: BusOperator.allCases)
  func requestInSubscription(_ form: BusOperator) {
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { $0.request = { $0.send(ProbeValue(1)) } }
    let bus = LifecycleBus(clock: ManualClock())
    form(upstream, bus).subscribe(ProbeSubscriber(trace, demand: .max(1)))
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask max(1)", "1"])
  }

  @Test(
    "Values sent during a call of downstream follow on the thread of the call",
    arguments: BusOperator.allCases
  )
  func sentDuringCall(_ form: BusOperator) {
    let stage = OperatorStage(form)
    let thread = currentThread()
    stage.downstream.onValue = { [trace = stage.trace, upstream = stage.upstream] number in
      trace("on the first thread: \(currentThread() == thread)")
      if number == 1 {
        onOtherThread { _ = upstream.send(2) }
        upstream.send(3)
        trace("end of 1")
      }
      return .none
    }
    stage.send(1)
    expectNoDifference(
      stage.trace.lines.filter { $0 != "on the first thread: true" },
      ["1", "end of 1", "2", "3"]
    )
    stage.downstream.onValue = { _ in .none }
  }

  @Test(
    "Values and cancellations pass on the thread that sends or cancels",
    arguments: BusOperator.allCases
  )
  func callersThread(_ form: BusOperator) {
    let trace = Trace()
    let caller = Locked<ObjectIdentifier?>(nil)
    let note: @Sendable () -> Void = {
      let isCaller = caller.withLock { $0 == currentThread() }
      trace("on the caller's thread: \(isCaller)")
    }
    let stage = OperatorStage { upstream, bus in
      upstream.hook { $0.cancel = { _ in note() } }
      return form(upstream, bus)
    }
    let (upstream, downstream) = (stage.upstream, stage.downstream)
    downstream.onValue = { _ in
      note()
      return .none
    }
    // The main actor, where the bus delivers, is blocked here.
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      upstream.send(1)
    }
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      downstream.cancel()
    }
    expectNoDifference(
      trace.lines,
      ["on the caller's thread: true", "on the caller's thread: true"]
    )
    expectNoDifference(stage.trace.lines, ["1", "cancel 1"])
  }

  @Test("An operator is reported as a subscription with its line", arguments: BusOperator.allCases)
  func line(_ form: BusOperator) {
    let stage = OperatorStage { form($0, $1, line: 7) }
    expectNoDifference(stage.bus.diagnostics.liveSubscriptions.map(\.location.line), [7])
    stage.downstream.cancel()
    #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Cancellation

  @Test("An operator may be cancelled inside each of its calls", arguments: BusOperator.allCases)
  func cancelledInsideCalls(_ form: BusOperator) {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let early = ProbeSubscriber(trace)
    early.onSubscription = { [unowned early] in early.cancel() }
    form(ProbePublisher(trace), bus).subscribe(early)
    expectNoDifference(trace.take(), ["subscription"])

    let upstream = ProbePublisher(trace)
    let subscribing = ProbeSubscriber(trace)
    upstream.hook { $0.subscribe = { [weak subscribing] _ in subscribing?.cancel() } }
    form(upstream, bus).subscribe(subscribing)
    expectNoDifference(trace.take(), ["subscription", "subscribe 1", "cancel 1"])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)

    let stage = OperatorStage(form)
    stage.downstream.onValue = { [unowned downstream = stage.downstream] _ in
      downstream.cancel()
      return .max(1)
    }
    stage.send(1, 2)
    expectNoDifference(stage.trace.lines, ["1", "cancel 1"])
  }

  @Test("A subscription that upstream sends too late is cancelled", arguments: BusOperator.allCases)
  func lateSubscription(_ form: BusOperator) {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { $0.isLate = true }
    let downstream = ProbeSubscriber(trace)
    form(upstream, bus).subscribe(downstream)
    downstream.cancel()
    upstream[1].begin()
    expectNoDifference(trace.take(), ["subscription", "subscribe 1", "cancel 1"])
    // A second one is cancelled too, while the first goes on.
    let other = ProbeSubscriber(trace)
    form(upstream, bus).subscribe(other)
    upstream[2].begin()
    upstream[2].begin()
    upstream.send(1)
    expectNoDifference(
      trace.lines,
      ["subscription", "subscribe 2", "ask unlimited", "cancel 2", "1"]
    )
    other.cancel()
  }

  enum End: CaseIterable { case cancelled, failed, busEnded }

  @Test("An operator retains nothing after its end", arguments: BusOperator.allCases, End.allCases)
  func nothingIsRetained(_ form: BusOperator, _ end: End) {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    var upstream: ProbePublisher? = ProbePublisher(trace)
    var downstream: ProbeSubscriber? = ProbeSubscriber(trace)
    let (weakUpstream, weakDownstream) = (Weak(upstream!), Weak(downstream!))
    form(upstream!, bus).subscribe(downstream!)
    upstream!.send(1)
    switch end {
    case .cancelled: downstream!.cancel()
    case .failed: upstream!.send(completion: .failure(.broken))
    case .busEnded: bus.send(.willTerminate)
    }
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    upstream!.forgetSubscribers()
    upstream = nil
    #expect(!weakUpstream.isAlive)
    // Downstream has the subscription, which would keep it alive if it still held it.
    downstream = nil
    #expect(!weakDownstream.isAlive)
  }
}

/// The operators that listen to a bus, each in a phase in which values pass: before the launch.
///
/// `BusOperatorTests` and `OperatorThreadTests` test what they have in common. A new operator is
/// one more case here.
enum BusOperator: CaseIterable {
  case gate, whilePhase

  func callAsFunction(
    _ upstream: ProbePublisher,
    _ bus: some LifecycleBusProtocol,
    line: UInt = #line
  ) -> LifecycleOperator<ProbePublisher> {
    switch self {
    case .gate: upstream.gate(.atMost(.background), of: bus, buffering: .latest, line: line)
    case .whilePhase: upstream.whilePhase(.atMost(.background), of: bus, line: line)
    }
  }
}

/// An upstream, an operator on a bus, and a downstream. Both ends trace the protocol.
@MainActor
struct OperatorStage {
  let bus = LifecycleBus(clock: ManualClock())
  let trace = Trace()
  let upstream: ProbePublisher
  let downstream: ProbeSubscriber

  /// - Parameters:
  ///   - kind: An event to send before downstream subscribes.
  ///   - makeOperator: Returns the operator. What subscribing to it traces is left out.
  init(
    after kind: LifecycleEvent.Kind? = nil,
    demand: Subscribers.Demand = .unlimited,
    _ makeOperator: (ProbePublisher, LifecycleBus) -> LifecycleOperator<ProbePublisher>
  ) {
    if let kind { bus.send(kind) }
    upstream = ProbePublisher(trace)
    downstream = ProbeSubscriber(trace, demand: demand)
    makeOperator(upstream, bus).subscribe(downstream)
    _ = trace.take()
  }

  init(_ form: BusOperator) {
    self.init { form($0, $1) }
  }

  func send(_ numbers: Int...) {
    for number in numbers { upstream.send(number) }
  }
}
