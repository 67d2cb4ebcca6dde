import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// `SettleMachineTests` tests which phases are published, and when; these test that a bus does it.
@MainActor
@Suite("Settled phases")
struct SettleTests {
  /// A bus with a clock that a test moves.
  private final class Stage: Sendable {
    let clock = ManualClock()
    private let held: Locked<(any LifecycleBusProtocol)?>

    /// - Parameter timers: Whether the clock's timers fire.
    init(timers: Bool = true, _ kind: BusKind = .mainActor) {
      held = Locked(kind.make(clock: timers ? clock : TimerlessClock(clock)))
    }

    var bus: any LifecycleBusProtocol { held.withLock { $0! } }

    func settled(_ seconds: Int = 2) -> LifecyclePublisher<LifecyclePhase> {
      bus.phases.settle(for: .seconds(seconds))
    }

    /// Records the settled phases.
    func record(
      _ seconds: Int = 2,
      demand: Subscribers.Demand = .unlimited
    ) -> LifecycleRecorder<LifecyclePhase, Never> {
      LifecycleRecorder(settled(seconds), of: bus, demand: demand)
    }

    func send(_ kinds: LifecycleEvent.Kind...) {
      for kind in kinds { bus.send(kind) }
    }

    func advance(_ seconds: Double) { clock.advance(by: .seconds(seconds)) }

    func releaseBus() { _ = held.take() }
  }

  private let trace = Trace()

  private func subscriber(
    demand: Subscribers.Demand = .unlimited
  ) -> RawSubscriber<LifecyclePhase> {
    RawSubscriber(trace, demand: demand) { $0.rawValue }
  }

  // MARK: Time

  @Test(
    "A way down that has lasted when it is delivered is published in that delivery",
    arguments: [0, -1, 2]
  )
  func lateDelivery(seconds: Int) {
    let stage = Stage(timers: false)
    stage.send(.didBecomeActive)
    let phases = stage.record(seconds)
    let instant = stage.clock.now
    stage.advance(2)
    stage.bus.send(.willResignActive, at: seconds > 0 ? instant : nil)
    expectNoDifference(phases.elements, [.active, .inactive])
  }

  @Test("A return accepted before the deadline and delivered after it takes the way down back")
  func deliveredLate() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let phases = stage.record()
    let busy = stage.bus.addObserver(for: [.systemDidWake]) { [unowned stage] _ in
      stage.advance(1)
      stage.send(.didBecomeActive)
      stage.advance(10)
    }
    stage.send(.willResignActive, .systemDidWake)
    expectNoDifference(phases.takeElements(), [.active])
    busy.cancel()
  }

  @Test("Settling settled phases adds the durations")
  func settlingTwiceAddsTheDurations() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let settledTwice = stage.settled(2).settle(for: .seconds(-5)).settle(for: .seconds(1))
    let phases = LifecycleRecorder(settledTwice, of: stage.bus)
    stage.send(.willResignActive)
    stage.advance(2.999)
    expectNoDifference(phases.takeElements(), [.active])
    expectNoDifference(stage.record().elements, [.inactive], "a subscriber begins with the phase")
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive])
  }

  @Test("A timer is set only while a way down is pending")
  func oneTimerWhileWayDownIsPending() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let subscriber = subscriber()
    stage.settled().subscribe(subscriber)
    func count(after kind: LifecycleEvent.Kind) -> Int {
      stage.send(kind)
      return stage.clock.timerCount
    }
    expectNoDifference(
      [.willResignActive, .didEnterBackground, .didBecomeActive, .willResignActive].map(count),
      [1, 0, 0, 1]
    )
    stage.advance(2)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.send(.didBecomeActive, .willResignActive)
    // The subscriber still holds its subscription.
    subscriber.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
    withExtendedLifetime(subscriber) {}
  }

  // MARK: Subscribers

  @Test("A subscriber with little demand receives the latest settled phase")
  func littleDemand() {
    let stage = Stage()
    let subscriber = subscriber(demand: .none)
    stage.settled().subscribe(subscriber)
    stage.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["subscription"])
    subscriber.request(1)
    expectNoDifference(trace.take(), ["active"])
    stage.send(.willResignActive)
    stage.advance(2)
    stage.send(.didBecomeActive)
    subscriber.request(1)
    expectNoDifference(trace.take(), [], "no phase follows itself")
    stage.send(.didEnterBackground)
    expectNoDifference(trace.take(), ["inactive"])
    subscriber.furtherDemand = { $0 == .background ? .max(1) : .none }
    subscriber.request(1)
    expectNoDifference(trace.take(), ["background"])
    stage.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["inactive"])
    stage.send(.willTerminate)
    expectNoDifference(trace.take(), [])
    subscriber.request(1)
    expectNoDifference(trace.take(), ["terminated", "finished"])
  }

  @Test("A sequence that keeps the newest settled phase does not repeat it")
  func newestPhase() async {
    let stage = Stage()
    stage.send(.didBecomeActive)
    var phases = stage.settled().asyncSequence(buffering: .bufferingNewest(1)).makeAsyncIterator()
    var received: [LifecyclePhase?] = await [phases.next()]
    stage.send(.willResignActive)
    stage.advance(2)
    stage.send(.didBecomeActive)
    stage.releaseBus()
    received += await [phases.next()]
    expectNoDifference(received, [.active, nil])
  }

  @Test(
    "A released bus publishes the settled phase that is due, and no more",
    arguments: [false, true]
  )
  func releaseOfTheBusDeliversWhatIsDue(isDue: Bool) {
    let stage = Stage(timers: false)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(isDue ? 2 : 1)
    stage.releaseBus()
    expectNoDifference(phases.elements, [.active] + (isDue ? [.inactive] : []))
    expectNoDifference(phases.completion, .finished)
  }

  @Test("The timer of a slow subscriber is cancelled with the bus")
  func releasedBeforeASlowSubscriber() {
    let stage = Stage()
    let phases = stage.record(demand: .none)
    stage.send(.didBecomeActive, .willResignActive)
    stage.releaseBus()
    expectNoDifference(stage.clock.timerCount, 0)
    phases.request(.max(5))
    expectNoDifference(phases.elements, [.active])
    expectNoDifference(phases.completion, .finished)
  }

  @Test("A subscriber cancelled in its turn receives no more phases", arguments: [false, true])
  func cancelsInReceive(isReleased: Bool) {
    // Two phases are published in the turn of an event, or a phase in that of the bus's release.
    let stage = Stage(timers: false)
    stage.send(.didBecomeActive)
    let subscriber = subscriber()
    subscriber.furtherDemand = { [unowned subscriber] phase in
      if phase == .inactive { subscriber.cancel() }
      return .none
    }
    stage.settled().subscribe(subscriber)
    stage.send(isReleased ? .willResignActive : .didEnterBackground)
    stage.advance(5)
    if isReleased { stage.releaseBus() }
    expectNoDifference(trace.lines, ["subscription", "active", "inactive"])
  }

  @Test("The captures of a subscriber are released when it is cancelled while its timer runs")
  func subscriberIsReleasedWithItsCaptures() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    weak var released: Canary?
    let sink: AnyCancellable
    do {
      let canary = Canary()
      released = canary
      sink = stage.settled().sink { _ in canary.sing() }
    }
    stage.send(.willResignActive)
    #expect(released != nil)
    sink.cancel()
    #expect(released == nil)
    let core = Weak(stage.bus.core)
    let other = stage.record()
    stage.send(.didBecomeActive, .willResignActive)
    stage.releaseBus()
    // Nothing holds on to the bus's core: no timer, and no subscription.
    #expect(!core.isAlive)
    other.cancel()
  }

  @Test("A subscriber of settled phases is reported at the line of settle")
  func subscriberIsReportedAtLineThatSettled() {
    let stage = Stage()
    let running = stage.bus.phases.settle(for: .seconds(2), fileID: "App/Model.swift", line: 12)
      .map { [core = stage.bus.core] _ in core.runningObserver?.description ?? "nobody" }
    stage.send(.didBecomeActive)
    let observers = LifecycleRecorder(running, of: stage.bus)
    expectNoDifference(stage.bus.diagnostics.liveSubscriptions.map(\.location.line), [12])
    stage.send(.willResignActive)
    observers.takeElements()
    // In the turn that its timer brought it.
    stage.advance(2)
    expectNoDifference(observers.takeElements(), ["App/Model.swift:12"])
    observers.cancel()
  }

  // MARK: Threads

  @Test("Settled phases of a LifecycleBus arrive on the main actor, wherever its timer fires")
  func mainActor() async {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let received = Collector<LifecyclePhase>()
    let sink = stage.settled().sink { phase in
      MainActor.assertIsolated()
      received(phase)
    }
    stage.send(.willResignActive)
    await awaitOtherThread { stage.advance(10) }
    await mainQueueToDrain()
    expectNoDifference(received.values, [.active, .inactive])
    sink.cancel()
  }

  @Test("Settled phases keep a legal path while threads send, request and move the clock")
  nonisolated func everythingAtOnce() async {
    let stage = Stage(.nonisolated)
    let received = Collector<LifecyclePhase>()
    let sink = stage.settled(1).sink { phase in received(phase) }
    await awaitOtherThreads(4) { thread in
      for round in 0..<200 {
        switch thread {
        case 0: stage.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
        case 1: stage.advance(0.5)
        case 2: stage.send(round.isMultiple(of: 3) ? .willResignActive : .willEnterForeground)
        default:
          let phases = stage.record(1, demand: .none)
          phases.request(.max(1))
          stage.advance(0.25)
          phases.request(.max(5))
          phases.cancel()
        }
      }
    }
    stage.send(.didEnterBackground)
    await awaitOtherThread { stage.advance(1) }
    let path = received.values
    expectNoDifference(path.last, .background)
    #expect(
      zip(path, path.dropFirst()).allSatisfy { SettleMachineTests.moves[$0]!.contains($1) }
    )
    sink.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
    expectNoDifference(stage.bus.diagnostics.liveSubscriptions.count, 0)
  }
}
