import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import Observation
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Observable lifecycle")
struct ObservableLifecycleTests {
  private let clock = ManualClock()
  private let bus: LifecycleBus
  private let trace = Trace()

  init() {
    bus = LifecycleBus(clock: clock)
  }

  /// Traces the next change of what `read` reads.
  private func track<Value>(_ name: String, _ read: () -> Value) {
    withObservationTracking {
      _ = read()
    } onChange: { [trace] in
      trace(name)
    }
  }

  @Test("It starts with the bus's phase, and follows it")
  func followsTheBus() {
    bus.send(.didBecomeActive)
    let lifecycle = ObservableLifecycle(bus)
    expectNoDifference(lifecycle.phase, .active)
    bus.send(.willResignActive)
    expectNoDifference(lifecycle.phase, .inactive)
    bus.send(.didBecomeActive)
    expectNoDifference(lifecycle.phase, .active)
  }

  @Test("The flags speak of the phase")
  func flagsSpeakOfPhase() {
    let lifecycle = ObservableLifecycle(bus)
    func flags() -> [Bool] {
      [
        lifecycle.isActive, lifecycle.isForeground, lifecycle.isBackground, lifecycle.isTerminated,
      ]
    }
    expectNoDifference(flags(), [false, false, false, false])
    bus.send(.didFinishLaunching)
    expectNoDifference(flags(), [false, false, true, false])
    bus.send(.willEnterForeground)
    expectNoDifference(flags(), [false, true, false, false])
    bus.send(.didBecomeActive)
    expectNoDifference(flags(), [true, true, false, false])
    bus.send(.willTerminate)
    expectNoDifference(flags(), [false, false, false, true])
  }

  @Test("Every property and flag is tracked")
  func everyPropertyAndFlagIsTracked() {
    let lifecycle = ObservableLifecycle(bus)
    track("phase") { lifecycle.phase }
    track("isActive") { lifecycle.isActive }
    track("isForeground") { lifecycle.isForeground }
    track("isBackground") { lifecycle.isBackground }
    track("isTerminated") { lifecycle.isTerminated }
    track("backgroundStay") { lifecycle.backgroundStay }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      trace.take().sorted(),
      ["isActive", "isBackground", "isForeground", "isTerminated", "phase"]
    )
    // The first foreground has no stay.
    bus.send(.willEnterForeground)
    expectNoDifference(trace.take(), [])
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(3))
    bus.send(.willEnterForeground)
    expectNoDifference(trace.take(), ["backgroundStay"])
  }

  @Test("What changes nothing notifies nobody")
  func noChange() {
    bus.send(.didBecomeActive)
    let lifecycle = ObservableLifecycle(bus)
    let objects = lifecycle.objectWillChange.sink { [trace] in trace("object") }
    track("phase") { lifecycle.phase }
    track("stay") { lifecycle.backgroundStay }
    bus.send(.didReceiveMemoryWarning)
    bus.send("a notice of the program's own")
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), [])
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.take(),
      ["object", "phase", "object", "object", "stay", "object"]
    )
    // A stay that is equal to the one before.
    track("stay") { lifecycle.backgroundStay }
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
    expectNoDifference(trace.take(), ["object", "object", "object", "object"])
    objects.cancel()
  }

  @Test("Observation and objectWillChange come before the change, which is there after them")
  func beforeTheChange() {
    let lifecycle = ObservableLifecycle(bus)
    let objects = lifecycle.objectWillChange.sink { [trace] in
      MainActor.assumeIsolated { trace("object \(lifecycle.phase)") }
    }
    withObservationTracking {
      _ = lifecycle.phase
    } onChange: { [trace] in
      MainActor.assumeIsolated { trace("tracking \(lifecycle.phase)") }
    }
    bus.send(.didFinishLaunching)
    trace("\(lifecycle.phase)")
    expectNoDifference(trace.lines, ["object unknown", "tracking unknown", "background"])
    objects.cancel()
  }

  @Test("It can be used where an ObservableObject is wanted")
  func observableObject() {
    func changes(of object: some ObservableObject) -> AnyCancellable {
      object.objectWillChange.sink { [trace] _ in trace("object") }
    }
    let lifecycle = ObservableLifecycle(bus)
    let objects = changes(of: lifecycle)
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ["object"])
    objects.cancel()
  }

  @Test("The stay is that of the last return")
  func lastStay() {
    let lifecycle = ObservableLifecycle(bus)
    var stays: [Duration?] = []
    bus.send(.didBecomeActive)
    for seconds in [3, 5] {
      stays.append(lifecycle.backgroundStay?.duration)
      bus.send(.didEnterBackground)
      clock.sleepDevice(for: .seconds(seconds))
      stays.append(lifecycle.backgroundStay?.duration)
      bus.send(.willEnterForeground)
    }
    stays.append(lifecycle.backgroundStay?.duration)
    expectNoDifference(stays, [nil, nil, .seconds(3), .seconds(3), .seconds(5)])
    expectNoDifference(lifecycle.backgroundStay?.timeAsleep, .seconds(5))
  }

  @Test("The stay is there when the phase changes")
  func stayBeforePhase() {
    let lifecycle = ObservableLifecycle(bus)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(3))
    withObservationTracking {
      _ = lifecycle.phase
    } onChange: { [trace] in
      MainActor.assumeIsolated { trace("\(lifecycle.backgroundStay?.duration ?? .zero)") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["3.0 seconds"])
  }

  @Test("It is up to date for those registered after it on the way up, before it on the way down")
  func upToDateForItsNeighbors() {
    let box = UncheckedBox<ObservableLifecycle>()
    func observe(_ name: String) -> LifecycleSubscription {
      bus.addObserver { [trace] event in
        if let lifecycle = box.value { trace("\(name) \(event.phase == lifecycle.phase)") }
      }
    }
    let before = observe("before")
    box.value = ObservableLifecycle(bus)
    let after = observe("after")
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.take(), ["before false", "after true"])
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["after false", "before true"])
    withExtendedLifetime((before, after)) {}
  }

  @Test("Made during a delivery, it has the phase in delivery, and goes on from there")
  func madeDuringADelivery() {
    let box = UncheckedBox<ObservableLifecycle>()
    let token = bus.addObserver { [unowned bus, trace] event in
      if box.value == nil { box.value = ObservableLifecycle(bus) }
      trace("\(event.phase) \(box.value!.phase)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["background background", "inactive background", "active inactive"]
    )
    expectNoDifference(box.value?.phase, .active)
    token.cancel()
  }

  @Test(
    "After the end it is terminated, made before it or after it; a released bus leaves it alone"
  )
  func theEnd() {
    let lifecycle = ObservableLifecycle(bus)
    bus.send(.willTerminate)
    #expect(lifecycle.isTerminated)
    #expect(ObservableLifecycle(bus).isTerminated)
    var other: LifecycleBus? = LifecycleBus()
    weak let weakBus = other
    let orphan = ObservableLifecycle(other!)
    other?.send(.didBecomeActive)
    other = nil
    #expect(weakBus == nil)
    expectNoDifference(orphan.phase, .active)
  }

  @Test("It is gone, and its observer with it, when it is released")
  func releaseEndsTheObserver() {
    var lifecycle: ObservableLifecycle? = ObservableLifecycle(bus, line: 12)
    weak let weakLifecycle = lifecycle
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [12])
    bus.send(.didBecomeActive)
    withExtendedLifetime(lifecycle) {}
    lifecycle = nil
    #expect(weakLifecycle == nil)
    expectNoDifference(bus.liveSubscriptions.count, 0)
  }

  @Test("It can be released by another thread")
  func releasedElsewhere() async {
    let box = Locked<ObservableLifecycle?>(ObservableLifecycle(bus))
    await awaitOtherThread { box.withLock { $0.take() }.map { _ in } ?? () }
    await mainQueueToDrain()
    expectNoDifference(bus.liveSubscriptions.count, 0)
    bus.send(.didBecomeActive)
  }

  @Test("It follows what is sent from other threads")
  func sentFromElsewhere() async {
    let lifecycle = ObservableLifecycle(bus)
    await awaitOtherThread { [bus] in
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
    }
    await mainQueueToDrain()
    expectNoDifference(lifecycle.phase, .background)
  }

  @Test("It follows a bus that is fed by another bus")
  func followsBusFedByAnotherBus() {
    // A screen's own bus, driven by the application's.
    let child = LifecycleBus(clock: clock)
    let feed = bus.addObserver { [unowned child] event in
      child.send(event.kind, at: event.instant)
    }
    let lifecycle = ObservableLifecycle(child)
    bus.send(.didBecomeActive)
    expectNoDifference(lifecycle.phase, .active)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(3))
    bus.send(.didBecomeActive)
    expectNoDifference(lifecycle.backgroundStay?.duration, .seconds(3))
    feed.cancel()
  }
}
