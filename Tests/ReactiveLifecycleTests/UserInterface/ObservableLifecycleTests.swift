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
  private let process = ScriptedLifecycle()
  private let changes: LifecycleRecorder<String, Never>
  private var bus: LifecycleBus { process.bus }

  init() {
    changes = process.recorder(of: String.self, as: "changes")
  }

  /// Records the next change of what `read` reads.
  private func track<Value>(_ name: String, _ read: () -> Value) {
    withObservationTracking {
      _ = read()
    } onChange: { [changes] in
      changes.record(name)
    }
  }

  @Test("It starts with the bus's phase, and follows it")
  func followsTheBus() {
    process.perform(.launch, .becomeActive)
    let lifecycle = ObservableLifecycle(bus)
    expectNoDifference(lifecycle.phase, .active)
    process.expect(lifecycle, after: .resignActive) { $0.phase = .inactive }
    process.expect(lifecycle, after: .becomeActive) { $0.phase = .active }
  }

  private struct Flags: Equatable {
    var isActive = false
    var isForeground = false
    var isBackground = false
    var isTerminated = false
  }

  @Test("The flags speak of the phase")
  func flagsSpeakOfPhase() {
    let lifecycle = ObservableLifecycle(bus)
    var flags: Flags {
      Flags(
        isActive: lifecycle.isActive,
        isForeground: lifecycle.isForeground,
        isBackground: lifecycle.isBackground,
        isTerminated: lifecycle.isTerminated
      )
    }
    expectNoDifference(flags, Flags())
    process.expect(flags, after: .launch) { $0.isBackground = true }
    process.expect(flags, after: .send(.willEnterForeground)) {
      $0 = Flags(isForeground: true)
    }
    process.expect(flags, after: .becomeActive) { $0.isActive = true }
    process.expect(flags, after: .terminate) { $0 = Flags(isTerminated: true) }
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
    process.perform(.launch)
    expectNoDifference(
      changes.takeElements().sorted(),
      ["isActive", "isBackground", "isForeground", "isTerminated", "phase"]
    )
    // The first foreground has no stay.
    process.perform(.becomeActive)
    expectNoDifference(changes.takeElements(), [])
    process.perform(.background(for: .seconds(3)))
    expectNoDifference(changes.takeElements(), ["backgroundStay"])
  }

  @Test("What changes nothing notifies nobody")
  func noChange() {
    process.perform(.launch, .becomeActive)
    let lifecycle = ObservableLifecycle(bus)
    process.keep(lifecycle)
    process.record(lifecycle.objectWillChange.map { "changes" }, as: "object")
    track("phase") { lifecycle.phase }
    track("stay") { lifecycle.backgroundStay }
    process.takeTranscript()
    process.perform(
      .memoryWarning,
      .send("a notice of the program's own"),
      .duplicate(.didBecomeActive),
      .background(for: .zero)
    )
    // A stay that is equal to the one before.
    track("stay") { lifecycle.backgroundStay }
    process.perform(.background(for: .zero))
    expectLifecycle(
      process.takeTranscript(),
      matches: """
        memoryWarning
          [0 s active] didReceiveMemoryWarning
        send(a notice of the program's own)
          [0 s active] a notice of the program's own
        duplicate(didBecomeActive)
          [0 s active] didBecomeActive suppressed: duplicate
        background(for: 0 s)
          [0 s inactive] willResignActive
          [0 s inactive] object: changes
          [0 s inactive] changes: phase
          [0 s background] didEnterBackground
          [0 s background] object: changes
          [0 s inactive] willEnterForeground (away 0 s)
          [0 s inactive] object: changes
          [0 s inactive] changes: stay
          [0 s active] didBecomeActive
          [0 s active] object: changes
        background(for: 0 s)
          [0 s inactive] willResignActive
          [0 s inactive] object: changes
          [0 s background] didEnterBackground
          [0 s background] object: changes
          [0 s inactive] willEnterForeground (away 0 s)
          [0 s inactive] object: changes
          [0 s active] didBecomeActive
          [0 s active] object: changes
        """
    )
  }

  @Test("Observation and objectWillChange come before the change, which is there after them")
  func beforeTheChange() {
    let lifecycle = ObservableLifecycle(bus)
    let objects = lifecycle.objectWillChange.sink { [changes] in
      MainActor.assumeIsolated { changes.record("object \(lifecycle.phase)") }
    }
    withObservationTracking {
      _ = lifecycle.phase
    } onChange: { [changes] in
      MainActor.assumeIsolated { changes.record("tracking \(lifecycle.phase)") }
    }
    bus.send(.didFinishLaunching)
    changes.record("\(lifecycle.phase)")
    expectNoDifference(changes.elements, ["object unknown", "tracking unknown", "background"])
    objects.cancel()
  }

  @Test("It can be used where an ObservableObject is wanted")
  func observableObject() {
    func recorded(_ object: some ObservableObject) -> AnyCancellable {
      object.objectWillChange.sink { [changes] _ in changes.record("object") }
    }
    let lifecycle = ObservableLifecycle(bus)
    let objects = recorded(lifecycle)
    bus.send(.didFinishLaunching)
    expectNoDifference(changes.elements, ["object"])
    objects.cancel()
  }

  @Test("The stay is that of the last return")
  func lastStay() {
    let lifecycle = ObservableLifecycle(bus)
    process.perform(.launch, .becomeActive)
    expectNoDifference(lifecycle.backgroundStay, nil)
    for seconds in [3, 5] {
      let stay = lifecycle.backgroundStay
      process.perform(.enterBackground, .sleepDevice(for: .seconds(seconds)))
      expectNoDifference(lifecycle.backgroundStay, stay)
      process.perform(.enterForeground)
      expectNoDifference(lifecycle.backgroundStay?.duration, .seconds(seconds))
      expectNoDifference(lifecycle.backgroundStay?.timeAsleep, .seconds(seconds))
    }
    // The returns before its creation are none of its own.
    let late = ObservableLifecycle(bus)
    expectNoDifference(late.backgroundStay, nil)
    process.perform(.background(for: .seconds(7)))
    expectNoDifference(late.backgroundStay?.duration, .seconds(7))
  }

  @Test("The stay is there when the phase changes")
  func stayBeforePhase() {
    let lifecycle = ObservableLifecycle(bus)
    bus.send(.didEnterBackground)
    process.clock.advance(by: .seconds(3))
    withObservationTracking {
      _ = lifecycle.phase
    } onChange: { [changes] in
      MainActor.assumeIsolated { changes.record("\(lifecycle.backgroundStay?.duration ?? .zero)") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(changes.elements, ["3.0 seconds"])
  }

  @Test("It is up to date for those registered after it on the way up, before it on the way down")
  func upToDateForItsNeighbors() {
    let box = UncheckedBox<ObservableLifecycle>()
    func observe(_ name: String) -> LifecycleSubscription {
      bus.addObserver { [changes] event in
        if let lifecycle = box.value { changes.record("\(name) \(event.phase == lifecycle.phase)") }
      }
    }
    let before = observe("before")
    box.value = ObservableLifecycle(bus)
    let after = observe("after")
    bus.send(.didFinishLaunching)
    expectNoDifference(changes.takeElements(), ["before false", "after true"])
    bus.send(.willTerminate)
    expectNoDifference(changes.takeElements(), ["after false", "before true"])
    withExtendedLifetime((before, after)) {}
  }

  @Test("Made during a delivery, it has the phase in delivery, and goes on from there")
  func madeDuringADelivery() {
    let box = UncheckedBox<ObservableLifecycle>()
    let token = bus.addObserver { [unowned bus, changes] event in
      if box.value == nil { box.value = ObservableLifecycle(bus) }
      changes.record("\(event.phase) \(box.value!.phase)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      changes.elements,
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
    let child = LifecycleBus(clock: process.clock)
    let feed = bus.addObserver { [unowned child] event in
      child.send(event.kind, at: event.instant)
    }
    let lifecycle = ObservableLifecycle(child)
    bus.send(.didBecomeActive)
    expectNoDifference(lifecycle.phase, .active)
    bus.send(.didEnterBackground)
    process.clock.advance(by: .seconds(3))
    bus.send(.didBecomeActive)
    expectNoDifference(lifecycle.backgroundStay?.duration, .seconds(3))
    feed.cancel()
  }
}
