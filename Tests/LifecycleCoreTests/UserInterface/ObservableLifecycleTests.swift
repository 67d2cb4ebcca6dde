import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import Observation
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
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func track<Value>(_ name: String, _ read: () -> Value) {
    withObservationTracking {
      _ = read()
    } onChange: { [changes] in
      changes.record(name)
    }
  }

  @Test("The phase and the flags follow the bus")
  func followsTheBus() {
    process.perform(.launch, .becomeActive)
    let lifecycle = ObservableLifecycle(of: bus)
    var flags: [Bool] {
      [lifecycle.isActive, lifecycle.isForeground, lifecycle.isBackground, lifecycle.isTerminated]
    }
    expectNoDifference(lifecycle.phase, .active)
    expectNoDifference(flags, [true, true, false, false])
    process.expect(lifecycle, after: .resignActive) { $0.phase = .inactive }
    expectNoDifference(flags, [false, true, false, false])
    process.perform(.enterBackground)
    expectNoDifference(flags, [false, false, true, false])
    process.perform(.terminate)
    expectNoDifference(flags, [false, false, false, true])
  }

  @Test("Each property and flag is tracked by Observation")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func everyPropertyAndFlagIsTracked() {
    let lifecycle = ObservableLifecycle(of: bus)
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

  @Test("An event that changes no property notifies no view")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func noChange() {
    process.perform(.launch, .becomeActive, .background(for: .zero))
    let lifecycle = ObservableLifecycle(of: bus)
    process.perform(.background(for: .zero))
    let object: some ObservableObject = lifecycle
    let objects = object.objectWillChange.sink { [changes] _ in changes.record("object") }
    track("phase") { lifecycle.phase }
    track("stay") { lifecycle.backgroundStay }
    process.perform(.memoryWarning, .send("a notice"), .duplicate(.didBecomeActive))
    expectNoDifference(changes.takeElements(), [])
    // A stay that is equal to the one before.
    process.perform(.background(for: .zero))
    expectNoDifference(
      changes.takeElements(),
      ["object", "phase", "object", "object", "object"]
    )
    objects.cancel()
  }

  @Test("Observation and objectWillChange notify before the change")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func beforeTheChange() {
    let lifecycle = ObservableLifecycle(of: bus)
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

  @Test("The stay is that of the last return after the creation")
  func lastStay() {
    let lifecycle = ObservableLifecycle(of: bus)
    process.perform(.launch, .becomeActive)
    expectNoDifference(lifecycle.backgroundStay, nil)
    for seconds in [3, 5] {
      let stay = lifecycle.backgroundStay
      process.perform(.enterBackground, .sleepDevice(for: .seconds(seconds)))
      expectNoDifference(lifecycle.backgroundStay, stay)
      process.perform(.enterForeground)
      expectNoDifference(lifecycle.backgroundStay?.timeAway, .seconds(seconds))
      expectNoDifference(lifecycle.backgroundStay?.timeAsleep, .seconds(seconds))
    }
    // The returns before its creation are none of its own.
    let late = ObservableLifecycle(of: bus)
    expectNoDifference(late.backgroundStay, nil)
    process.perform(.background(for: .seconds(7)))
    expectNoDifference(late.backgroundStay?.timeAway, .seconds(7))
  }

  @Test("The stay is set before the phase changes")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func stayBeforePhase() {
    let lifecycle = ObservableLifecycle(of: bus)
    bus.send(.didEnterBackground)
    process.clock.advance(by: .seconds(3))
    withObservationTracking {
      _ = lifecycle.phase
    } onChange: { [changes] in
      MainActor.assumeIsolated { changes.record("\(lifecycle.backgroundStay?.timeAway ?? .zero)") }
    }
    bus.send(.willEnterForeground)
    expectNoDifference(changes.elements, ["3.0 seconds"])
  }

  @Test("An object made during a delivery has the phase in delivery")
  func madeDuringADelivery() {
    let box = UncheckedBox<ObservableLifecycle>()
    let token = bus.addObserver { [unowned bus, changes] event in
      if box.value == nil { box.value = ObservableLifecycle(of: bus) }
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

  @Test("An object is terminated after the end, and keeps its phase if the bus is released")
  func theEnd() {
    let lifecycle = ObservableLifecycle(of: bus)
    bus.send(.willTerminate)
    #expect(lifecycle.isTerminated)
    #expect(ObservableLifecycle(of: bus).isTerminated)
    var other: LifecycleBus? = LifecycleBus()
    weak let weakBus = other
    let orphan = ObservableLifecycle(of: other!)
    other?.send(.didBecomeActive)
    other = nil
    #expect(weakBus == nil)
    expectNoDifference(orphan.phase, .active)
  }

  @Test("The observer of an object ends with its release")
  func releaseEndsTheObserver() {
    var lifecycle: ObservableLifecycle? = ObservableLifecycle(of: bus, line: 12)
    weak let weakLifecycle = lifecycle
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [12])
    bus.send(.didBecomeActive)
    withExtendedLifetime(lifecycle) {}
    lifecycle = nil
    #expect(weakLifecycle == nil)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 0)
  }

  @Test("An object can be released on another thread")
  func releasedElsewhere() async {
    let box = Locked<ObservableLifecycle?>(ObservableLifecycle(of: bus))
    await awaitOtherThread { box.withLock { $0.take() }.map { _ in } ?? () }
    await mainQueueToDrain()
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 0)
    bus.send(.didBecomeActive)
  }

  // MARK: The object of a bus

  @Test("The object of a bus is made once, on first use")
  func oneObjectForAll() {
    process.perform(.launch)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    let object = bus.observableState
    #expect(object === bus.observableState)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
  }

  @Test("The object of a bus is kept by the bus, and does not keep it")
  func objectDoesNotKeepTheBus() {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    weak let weakObject = bus!.observableState
    bus!.send(.didBecomeActive)
    expectNoDifference(weakObject?.phase, .active)
    let held = bus!.observableState
    bus = nil
    #expect(weakBus == nil && held.phase == .active)
    var other: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let otherObject = other!.observableState
    #expect(otherObject != nil)
    withExtendedLifetime(other) {}
    other = nil
    #expect(otherObject == nil)
  }
}
