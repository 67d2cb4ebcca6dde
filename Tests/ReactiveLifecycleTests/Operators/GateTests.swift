import CustomDump
import Foundation
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Gate")
struct GateTests {
  private typealias Buffering = LifecycleGateBuffering

  /// A gate that is open in the active phase.
  private func stage(
    _ buffering: Buffering,
    after kind: LifecycleEvent.Kind? = nil,
    demand: Subscribers.Demand = .unlimited
  ) -> OperatorStage {
    OperatorStage(after: kind, demand: demand) {
      $0.gate(.atLeast(.active), of: $1, buffering: buffering)
    }
  }

  // MARK: Values

  @Test("All are kept up to a limit, in order")
  func allValuesAreKeptUpToALimit() {
    for (whenFull, kept) in [
      (Buffering.WhenFull.dropOldest, [3, 4, 5]), (.dropNewest, [1, 2, 3]),
    ] {
      let stage = stage(.all(limit: 3, whenFull: whenFull))
      stage.send(1, 2, 3, 4, 5)
      expectNoDifference(stage.trace.lines, [])
      stage.bus.send(.didBecomeActive)
      stage.send(6)
      expectNoDifference(stage.trace.lines, (kept + [6]).map(String.init))
    }
  }

  @Test("A limit below 1 is reported at the caller's line, and keeps nothing")
  func badLimit() {
    let bus = LifecycleBus(clock: ManualClock())
    let numbers = PassthroughSubject<Int, Never>()
    var passed: LifecycleRecorder<Int, Never>?
    expectReportedIssue("keeps nothing", line: #line + 2) {
      let buffering = Buffering.all(limit: -1, whenFull: .dropNewest)
      let gate = numbers.gate(.atLeast(.active), of: bus, buffering: buffering)
      passed = LifecycleRecorder(gate, of: bus)
    }
    numbers.send(1)
    bus.send(.didBecomeActive)
    expectNoDifference(passed?.elements, [])
  }

  // MARK: Demand

  @Test("What is dropped or replaced is requested again, one at a time")
  func droppedIsRequestedAgain() {
    for (buffering, kept) in [(Buffering.drop, 0), (.latest, 1)] {
      let stage = stage(buffering, after: .didBecomeActive, demand: .max(2))
      stage.bus.send(.willResignActive)
      stage.send(1, 2, 3)
      expectNoDifference(stage.trace.take(), Array(repeating: "more max(1)", count: 3 - kept))
      expectNoDifference(stage.upstream[1].asked, .max(2 - kept))
    }
  }

  @Test("An endless upstream that answers at once ends with its downstream")
  func endlessUpstreamEndsWithDownstream() {
    let bus = LifecycleBus(clock: ManualClock())
    var numbers: [Int] = []
    let gate = (1...).publisher.gate(.atMost(.unknown), of: bus, buffering: .latest)
    gate.prefix(3).subscribe(
      Subscribers.Sink { _ in
      } receiveValue: {
        numbers.append($0)
      }
    )
    expectNoDifference(numbers, [1, 2, 3])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  // MARK: Which phase counts, and what comes first

  @Test("A value sent by an observer of the same event passes by that event's phase")
  func sameEvent() {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    // Notified before the gate on the way up, and after it on the way down.
    let earlier = bus.addObserver { event in
      guard event.phase >= .inactive, upstream.count == 1 else { return }
      trace("send \(event.sequenceNumber)")
      upstream.send(event.sequenceNumber)
    }
    let downstream = ProbeSubscriber(trace)
    upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(downstream)
    let later = bus.addObserver { event in
      trace("then \(event.sequenceNumber)")
      upstream.send(10 * event.sequenceNumber)
    }
    _ = trace.take()
    bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(
      trace.lines,
      ["then 1", "send 2", "then 2", "send 3", "3", "then 3", "30", "then 4", "send 4"]
    )
    downstream.cancel()
    earlier.cancel()
    later.cancel()
  }

  @Test("What was kept comes in the gate's turn, before a value sent by an earlier observer")
  func keptBeforeNewer() {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let earlier = bus.addObserver(for: [.didBecomeActive]) { _ in
      upstream.send(3)
      trace("sent")
    }
    upstream.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(ProbeSubscriber(trace))
    upstream.send(2)
    _ = trace.take()
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["sent", "2", "3"])
    earlier.cancel()
  }

  @Test("Subscribed during a delivery, in an open phase, the first value passes")
  func subscribedDuringDelivery() {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    // The gate joins after the delivery; its first value comes before that.
    let token = bus.addObserver(for: [.didBecomeActive]) { _ in
      upstream.gate(.atLeast(.active), of: bus, buffering: .drop).subscribe(ProbeSubscriber(trace))
      upstream.send(1)
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["subscription", "subscribe 1", "ask unlimited", "1"])
    token.cancel()
  }

  @Test("Values that pass stay on upstream's thread; kept ones arrive where the bus delivers")
  func threads() async {
    let stage = stage(.latest)
    let (bus, upstream) = (stage.bus, stage.upstream)
    stage.downstream.onValue = { _ in
      MainActor.assertIsolated()
      return .none
    }
    await awaitOtherThread {
      upstream.send(1)
      _ = bus.send(.didBecomeActive)
    }
    await mainQueueToDrain()
    expectNoDifference(stage.trace.take(), ["1"])
    let thread = Locked<ObjectIdentifier?>(nil)
    stage.downstream.onValue = { _ in
      thread.withLock { $0 = currentThread() }
      return .none
    }
    let isSame = await awaitOtherThread {
      upstream.send(2)
      return thread.withLock { $0 } == currentThread()
    }
    #expect(isSame)
  }

  // MARK: The end

  /// The completions of an upstream, and what a downstream notes of them.
  private static let completions: [(Subscribers.Completion<ProbeFailure>, String)] = [
    (.finished, "finished"), (.failure(.broken), "failed"),
  ]

  @Test("A completion passes, open or closed, but waits for what is kept")
  func completionWaits() {
    for (completion, line) in Self.completions {
      for kind in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground] {
        let stage = stage(.latest, after: kind)
        stage.upstream.send(completion: completion)
        expectNoDifference(stage.trace.lines, [line])
      }
      let stage = stage(.latest)
      stage.send(1)
      stage.upstream.send(completion: completion)
      // A breach of the protocol changes nothing.
      stage.send(2)
      stage.upstream.send(completion: .finished)
      expectNoDifference(stage.trace.lines, [])
      stage.bus.send(.didBecomeActive)
      expectNoDifference(stage.trace.lines, ["1", line])
      #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
    }
  }

  private struct HeavyFailure: Error { let canary: Canary }

  @Test("A kept value and a failure are released with the end", arguments: [true, false])
  func keptValuesAreReleased(isCancelled: Bool) {
    let bus = LifecycleBus(clock: ManualClock())
    var upstream: PassthroughSubject<Canary, HeavyFailure>? = PassthroughSubject()
    let box = UncheckedBox<any Subscription>()
    upstream!.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(
      AnySubscriber(receiveSubscription: {
        box.value = $0
        $0.request(.unlimited)
      })
    )
    weak var value: Canary?
    weak var failure: Canary?
    do {
      let canaries = [Canary(), Canary()]
      (value, failure) = (canaries[0], canaries[1])
      upstream!.send(canaries[0])
      upstream!.send(completion: .failure(HeavyFailure(canary: canaries[1])))
      upstream = nil
    }
    #expect(value != nil && failure != nil)
    if isCancelled { box.value!.cancel() } else { bus.send(.didBecomeActive) }
    #expect(value == nil && failure == nil)
    box.value = nil
  }
}
