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
    let subscriber = stage.raw(demand: .unlimited)
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.advance(2)
    stage.send(.willTerminate)
    expectNoDifference(
      stage.trace.lines,
      [
        "subscription", "unknown", "background", "inactive", "active", "inactive", "background",
        "terminated", "finished",
      ]
    )
    withExtendedLifetime(subscriber) {}
  }

  @Test("A slow subscriber gets the latest", arguments: BusKind.allCases)
  func slowSubscriberGetsLatest(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let subscriber = stage.raw()
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["subscription"])
    subscriber.request(1)
    expectNoDifference(stage.trace.take(), ["active"])
    stage.send(.didEnterBackground)
    stage.advance(2)
    expectNoDifference(stage.trace.take(), [])
    subscriber.request(2)
    expectNoDifference(stage.trace.take(), ["background"])
    stage.send(.didBecomeActive)
    expectNoDifference(stage.trace.take(), ["inactive"])
    stage.send(.willTerminate)
    expectNoDifference(stage.trace.take(), [])
    subscriber.request(1)
    expectNoDifference(stage.trace.take(), ["terminated", "finished"])
  }

  @Test("Demand that receive returns counts", arguments: BusKind.allCases)
  func furtherDemand(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let subscriber = RawSubscriber<LifecyclePhase>(stage.trace, demand: .max(1)) { $0.rawValue }
    subscriber.furtherDemand = { $0 == .inactive ? .none : .max(1) }
    stage.send(.didBecomeActive)
    stage.settled().subscribe(subscriber)
    stage.send(.didEnterBackground)
    stage.advance(10)
    expectNoDifference(stage.trace.take(), ["subscription", "active", "inactive"])
    subscriber.cancel()
  }

  @Test(
    "At the end of the process, what is pending is told at once, then the end",
    arguments: BusKind.allCases
  )
  func terminationDeliversWhatIsPending(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.willTerminate)
    expectNoDifference(
      stage.trace.take(),
      ["active", "inactive", "background", "terminated", "finished"]
    )
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    let late = stage.sink()
    expectNoDifference(stage.trace.take(), ["terminated", "finished"])
    withExtendedLifetime((sink, late)) {}
  }

  @Test(
    "When the bus is released, what is due is told, and no more",
    arguments: BusKind.allCases,
    [false, true]
  )
  func releaseOfTheBusDeliversWhatIsDue(_ kind: BusKind, timers: Bool) {
    let stage = SettleStage(kind, timers: timers)
    stage.send(.didBecomeActive)
    let sink = stage.sink()
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1)
    let down = ["inactive", "background"]
    expectNoDifference(stage.trace.take(), ["active"] + (timers ? down : []))
    stage.releaseBus()
    expectNoDifference(stage.trace.take(), (timers ? [] : down) + ["finished"])
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(stage.trace.take(), [])
    sink.cancel()
  }

  @Test("A slow subscriber's timer doesn't outlive the bus", arguments: BusKind.allCases)
  func releasedBeforeASlowSubscriber(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let subscriber = stage.raw()
    stage.send(.didBecomeActive)
    stage.send(.didEnterBackground)
    stage.releaseBus()
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    subscriber.request(5)
    expectNoDifference(stage.trace.take(), ["subscription", "active", "finished"])
  }

  @Test(
    "A subscription that is held after it was cancelled has no timer",
    arguments: BusKind.allCases
  )
  func cancelledSubscriptionHasNoTimer(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let subscriber = stage.raw(demand: .unlimited)
    stage.send(.didEnterBackground)
    expectNoDifference(stage.clock.timerCount, 1)
    subscriber.cancel()
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(stage.trace.lines, ["subscription", "active"])
    withExtendedLifetime(subscriber.subscription) {}
  }

  @Test("Cancelled in its own turn, a subscriber hears no more", arguments: BusKind.allCases)
  func cancelsInReceive(_ kind: BusKind) {
    // Two phases are told in one turn: of an event, and of the bus's release.
    for isReleased in [false, true] {
      let stage = SettleStage(kind, timers: false)
      stage.send(.didBecomeActive)
      let subscriber = RawSubscriber<LifecyclePhase>(stage.trace, demand: .unlimited) {
        $0.rawValue
      }
      subscriber.furtherDemand = { [unowned subscriber] phase in
        if phase == .inactive { subscriber.cancel() }
        return .none
      }
      stage.settled().subscribe(subscriber)
      stage.send(.didEnterBackground)
      stage.advance(5)
      if isReleased { stage.releaseBus() } else { stage.send(.willEnterForeground) }
      expectNoDifference(stage.trace.lines, ["subscription", "active", "inactive"])
    }
  }

  @Test(
    "Cancelled in the turn of a timer, a subscriber has no further one",
    arguments: BusKind.allCases
  )
  func cancelsInTimer(_ kind: BusKind) {
    let stage = SettleStage(kind)
    stage.send(.didBecomeActive)
    let box = UncheckedBox<AnyCancellable>()
    box.value = stage.settled().sink { phase in
      stage.trace(phase.rawValue)
      if phase == .inactive { box.value = nil }
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    stage.advance(1)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.advance(10)
    expectNoDifference(stage.trace.lines, ["active", "inactive"])
    expectNoDifference(stage.bus.liveSubscriptions.count, 0)
  }

  @Test("A subscriber may send and move the clock in its turn", arguments: BusKind.allCases)
  func subscriberMaySendAndMoveClockInItsTurn(_ kind: BusKind) {
    let stage = SettleStage(kind)
    let sink = stage.settled().sink { [unowned stage] phase in
      stage.trace("\(phase)")
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
      stage.trace("/\(phase)")
    }
    stage.send(.didBecomeActive)
    expectNoDifference(
      stage.trace.lines,
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
    var canary: Canary? = Canary { [trace = stage.trace] in trace("released") }
    let sink = stage.settled().sink { [canary = canary!] _ in canary.sing() }
    canary = nil
    stage.send(.didEnterBackground)
    expectNoDifference(stage.trace.take(), [])
    sink.cancel()
    expectNoDifference(stage.trace.take(), ["released"])
    weak let core = stage.bus.core
    let other = stage.sink()
    stage.send(.didBecomeActive)
    stage.send(.willResignActive)
    stage.releaseBus()
    // Nothing holds on to the bus's core: no timer, and no subscription.
    #expect(core == nil)
    other.cancel()
  }
}
