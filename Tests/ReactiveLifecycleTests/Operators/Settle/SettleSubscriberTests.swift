import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Settled phases: subscribers")
struct SettleSubscriberTests {
  @Test("The whole protocol, with unlimited demand", arguments: BusKind.allCases)
  func wholeProtocolWithUnlimitedDemand(_ kind: BusKind) {
    let stage = SettleStage(kind)
    // A breach of the protocol is reported by the recorder.
    let phases = stage.record()
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(phases.completion, nil)
    stage.send(.willTerminate)
    expectNoDifference(
      phases.elements,
      [.unknown, .background, .inactive, .active, .inactive, .background, .terminated]
    )
    expectNoDifference(phases.completion, .finished)
  }

  @Test("A slow subscriber gets the latest", arguments: BusKind.allCases)
  func slowSubscriberGetsLatest(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let phases = stage.record(demand: .none)
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [])
    phases.request(.max(1))
    expectNoDifference(phases.takeElements(), [.active])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(phases.takeElements(), [])
    phases.request(.max(2))
    expectNoDifference(phases.takeElements(), [.background])
    stage.send(.didBecomeActive)
    expectNoDifference(phases.takeElements(), [.inactive])
    stage.send(.willTerminate)
    expectNoDifference(phases.takeElements(), [])
    expectNoDifference(phases.completion, nil)
    phases.request(.max(1))
    expectNoDifference(phases.takeElements(), [.terminated])
    expectNoDifference(phases.completion, .finished)
  }

  @Test("Demand that receive returns counts", arguments: BusKind.allCases)
  func furtherDemand(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let trace = Trace()
    let subscriber = RawSubscriber<LifecyclePhase>(trace, demand: .max(1)) { $0.rawValue }
    subscriber.furtherDemand = { $0 == .inactive ? .none : .max(1) }
    stage.send(.didBecomeActive)
    stage.settled().subscribe(subscriber)
    stage.send(.didEnterBackground)
    stage.advance(10)
    expectNoDifference(trace.take(), ["subscription", "active", "inactive"])
    subscriber.cancel()
  }

  @Test(
    "At the end of the process, what is pending is told at once, then the end",
    arguments: BusKind.allCases
  )
  func terminationDeliversWhatIsPending(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.willTerminate)
    expectNoDifference(phases.elements, [.active, .inactive, .background, .terminated])
    expectNoDifference(phases.completion, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(phases.elements.count, 4)
    let late = stage.record()
    expectNoDifference(late.elements, [.terminated])
    expectNoDifference(late.completion, .finished)
  }

  @Test(
    "When the bus is released, what is due is told, and no more",
    arguments: BusKind.allCases,
    [false, true]
  )
  func releaseOfTheBusDeliversWhatIsDue(_ kind: BusKind, timers: Bool) {
    let stage = SettleStage(kind, timers: timers)
    stage.send(.didBecomeActive)
    let phases = stage.record()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1)
    let down = [LifecyclePhase.inactive, .background]
    expectNoDifference(phases.takeElements(), [.active] + (timers ? down : []))
    stage.releaseBus()
    expectNoDifference(phases.takeElements(), timers ? [] : down)
    expectNoDifference(phases.completion, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(phases.takeElements(), [])
  }

  @Test("A slow subscriber's timer doesn't outlive the bus", arguments: BusKind.allCases)
  func releasedBeforeASlowSubscriber(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let phases = stage.record(demand: .none)
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.releaseBus()
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    phases.request(.max(5))
    expectNoDifference(phases.elements, [.active])
    expectNoDifference(phases.completion, .finished)
  }

  @Test(
    "A subscription that is held after it was cancelled has no timer",
    arguments: BusKind.allCases
  )
  func cancelledSubscriptionHasNoTimer(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let trace = Trace()
    let subscriber = RawSubscriber<LifecyclePhase>(trace, demand: .unlimited) { $0.rawValue }
    stage.settled().subscribe(subscriber)
    stage.send(.didEnterBackground)
    expectNoDifference(stage.clock.timerCount, 1)
    subscriber.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(trace.lines, ["subscription", "active"])
    withExtendedLifetime(subscriber.subscription) {}
  }

  @Test("Cancelled in its own turn, a subscriber hears no more", arguments: BusKind.allCases)
  func cancelsInReceive(_ kind: BusKind) {
    // Two phases are told in one turn: of an event, and of the bus's release.
    for isReleased in [false, true] {
      let stage = SettleStage(kind, timers: false)
      stage.send(.didBecomeActive)
      let trace = Trace()
      let subscriber = RawSubscriber<LifecyclePhase>(trace, demand: .unlimited) { $0.rawValue }
      subscriber.furtherDemand = { [unowned subscriber] phase in
        if phase == .inactive { subscriber.cancel() }
        return .none
      }
      stage.settled().subscribe(subscriber)
      stage.send(.didEnterBackground)
      stage.advance(5)
      if isReleased { stage.releaseBus() } else { stage.send(.willEnterForeground) }
      expectNoDifference(trace.lines, ["subscription", "active", "inactive"])
    }
  }

  @Test(
    "Cancelled in the turn of a timer, a subscriber has no further one",
    arguments: BusKind.allCases
  )
  func cancelsInTimer(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let told = LifecycleRecorder(of: LifecyclePhase.self, of: stage.bus!)
    let box = UncheckedBox<AnyCancellable>()
    box.value = stage.settled().sink { phase in
      told.record(phase)
      if phase == .inactive { box.value = nil }
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(told.elements, [.active, .inactive])
    expectNoDifference(stage.bus.liveSubscriptions.count, 0)
  }

  @Test("A subscriber may send and move the clock in its turn", arguments: BusKind.allCases)
  func subscriberMaySendAndMoveClockInItsTurn(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let told = LifecycleRecorder(of: String.self, of: stage.bus!)
    let sink = stage.settled().sink { [unowned stage] phase in
      told.record("\(phase)")
      switch phase {
      case .active:
        stage.send(.didEnterBackground)
        stage.advance(2)
      case .background:
        // Suppressed on the way up, on which the process is further already.
        stage.send(.willEnterForeground)
        stage.advance(5)
      default: break
      }
      told.record("/\(phase)")
    }
    stage.send(.didBecomeActive)
    expectNoDifference(
      told.elements,
      ["unknown", "background", "inactive", "active", "inactive", "background", "inactive"]
        .flatMap { [$0, "/\($0)"] }
    )
    sink.cancel()
  }

  @Test(
    "What the subscriber captured is released with it, while its timer runs",
    arguments: BusKind.allCases
  )
  func subscriberIsReleasedWithItsCaptures(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    weak var released: Canary?
    let sink: AnyCancellable
    do {
      let canary = Canary()
      released = canary
      sink = stage.settled().sink { _ in canary.sing() }
    }
    stage.send(.didEnterBackground)
    #expect(released != nil)
    sink.cancel()
    #expect(released == nil)
    weak let core = stage.bus.core
    let other = stage.record()
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    stage.releaseBus()
    // Nothing holds on to the bus's core: no timer, and no subscription.
    #expect(core == nil)
    other.cancel()
  }
}
