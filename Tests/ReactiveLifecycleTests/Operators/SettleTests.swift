import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// `SettleMachineTests` tests which phases are published, and when; these test that a bus does it.
@MainActor
@Suite("Settled phases")
struct SettleTests {
  /// A bus with a clock that a test moves.
  private final class Stage: Sendable {
    let clock = ManualClock()
    private let start: ContinuousInstant
    private let held: Locked<(any LifecycleBusProtocol)?>

    /// - Parameter timers: Whether the clock's timers fire.
    init(timers: Bool = true, _ kind: BusKind = .mainActor) {
      start = clock.continuous
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

    /// Sends an input that happened so many seconds after the beginning.
    func send(_ kind: LifecycleEvent.Kind, at seconds: Double) {
      var instant = clock.now
      instant.continuous = start + .seconds(seconds)
      bus.send(kind, at: instant)
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

  @Test("A way up is published at once, a way down when it has lasted; the current phase is first")
  func upAndDown() {
    let stage = Stage()
    let phases = stage.record()
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.unknown, .background, .inactive, .active])
    stage.send(.willResignActive)
    stage.advance(1.999)
    expectNoDifference(phases.takeElements(), [])
    expectNoDifference(stage.record().elements, [.inactive])
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didEnterBackground)
    expectNoDifference(phases.takeElements(), [.background])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.inactive, .active])
  }

  @Test("In the background nothing is put off: the process may be suspended there")
  func nothingIsPutOffInBackground() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    var connections: [String] = []
    let start = stage.clock.continuous
    let sink = stage.settled().map { $0 == .active }.removeDuplicates().sink { isActive in
      let seconds = (stage.clock.continuous - start).components.seconds
      connections.append("\(isActive ? "connect" : "disconnect") at \(seconds) s")
    }
    stage.advance(5)
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.clock.stopProcess(for: .seconds(3600))
    stage.send(.didBecomeActive)
    expectNoDifference(
      connections,
      ["connect at 0 s", "disconnect at 6 s", "connect at 3606 s"]
    )
    sink.cancel()
  }

  @Test("What was due when the way up comes is published before it, though no timer fired")
  func timersHeldUp() {
    let stage = Stage(timers: false)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.clock.sleepDevice(for: .seconds(60))
    expectNoDifference(phases.takeElements(), [.active])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.inactive, .active])
  }

  @Test("Time is measured from the events' instants")
  func instantsInThePast() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.advance(10)
    stage.send(.willResignActive, at: 9)
    expectNoDifference(phases.takeElements(), [.active])
    stage.advance(1)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    stage.advance(1)
    // It comes back at an instant that lies a second before the way down is due.
    stage.send(.didBecomeActive, at: 12)
    stage.advance(10)
    expectNoDifference(stage.clock.timerCount, 0)
    expectNoDifference(phases.takeElements(), [.active])
  }

  @Test("A return that was accepted before the deadline wins, delivered late")
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

  @Test("With no duration everything is published at once", arguments: [0, -1])
  func noDuration(seconds: Int) {
    let stage = Stage()
    let all = LifecycleRecorder(stage.bus.phases, of: stage.bus)
    let phases = stage.record(seconds)
    stage.send(.didBecomeActive, .didEnterBackground, .willEnterForeground, .willTerminate)
    expectNoDifference(phases.elements, all.elements)
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("Settling settled phases adds the durations up")
  func settlingTwiceAddsTheDurations() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let settledTwice = stage.settled(2).settle(for: .seconds(-5)).settle(for: .seconds(1))
    let phases = LifecycleRecorder(settledTwice, of: stage.bus)
    stage.send(.willResignActive)
    stage.advance(2.999)
    expectNoDifference(phases.takeElements(), [.active])
    stage.advance(0.001)
    expectNoDifference(phases.takeElements(), [.inactive])
  }

  @Test("There is one timer while a way down is pending, and otherwise none")
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

  @Test("A subscriber with little demand receives the latest")
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

  @Test("A sequence that keeps the newest phase alone does not repeat it")
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

  @Test("At the end of the process, what is pending is published at once, then the end")
  func terminationDeliversWhatIsPending() {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.willTerminate)
    expectNoDifference(phases.elements, [.active, .inactive, .background, .terminated])
    expectNoDifference(phases.completion, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    let late = stage.record()
    expectNoDifference(late.elements, [.terminated])
    expectNoDifference(late.completion, .finished)
  }

  @Test(
    "When the bus is released, what is due is published, and no more",
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

  @Test("A slow subscriber's timer does not outlive the bus")
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

  @Test("Cancelled in its own turn, a subscriber receives no more", arguments: [false, true])
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

  @Test("What a subscriber captured is released with it, while its timer runs")
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

  @Test("A subscriber is reported at the line that settled")
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

  @Test("A LifecycleBus publishes on the main actor, wherever its clock is moved")
  func mainActor() async {
    let stage = Stage()
    stage.send(.didBecomeActive)
    let told = Collector<LifecyclePhase>()
    let sink = stage.settled().sink { phase in
      MainActor.assertIsolated()
      told(phase)
    }
    stage.send(.willResignActive)
    await awaitOtherThread { stage.advance(10) }
    await mainQueueToDrain()
    expectNoDifference(told.values, [.active, .inactive])
    sink.cancel()
  }

  @Test("Sending, moving the clock, requesting values and leaving at once")
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

  /// A clock that uses the bus on another thread whenever a timer is set or cancelled.
  private final class NosyClock: LifecycleClock {
    let manual = ManualClock()
    let trace = Trace()
    let bus = Locked<LifecycleBus?>(nil)

    private func ask(_ line: String) {
      guard let bus = bus.withLock({ $0 }) else { return }
      onOtherThread { [trace] in trace("\(line) in \(bus.phase)") }
    }

    var now: LifecycleInstant { manual.now }

    func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      ask("schedule")
      let timer = manual.schedule(at: deadline, body)
      return LifecycleCancellable { [self] in
        ask("cancel")
        timer.cancel()
      }
    }
  }

  @Test("The clock may use the bus: no lock is held when it is called")
  func noLock() {
    let clock = NosyClock()
    let bus = LifecycleBus(clock: clock)
    clock.bus.withLock { $0 = bus }
    bus.send(.didBecomeActive)
    let sink = bus.phases.settle(for: .seconds(2)).sink { _ in }
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive)
    sink.cancel()
    expectNoDifference(
      clock.trace.lines,
      ["schedule in inactive", "cancel in active", "schedule in inactive", "cancel in inactive"]
    )
    _ = clock.bus.take()
  }
}
