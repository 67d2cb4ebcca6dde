import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The object that a bus has for user interfaces.
@MainActor
@Suite("Observable lifecycle: the bus's own")
struct BusObservableTests {
  @Test("One for all, made on first use, and up to date for those that come after it on a way up")
  func oneObjectForAll() {
    let process = ScriptedLifecycle()
    let bus = process.bus
    process.perform(.launch)
    #expect(bus.liveSubscriptions.isEmpty)
    let object = bus.observableState
    #expect(object === bus.observableState)
    expectNoDifference(bus.liveSubscriptions.count, 1)
    let seen = process.recorder(of: LifecyclePhase.self, as: "seen")
    let token = bus.addObserver { [unowned bus] _ in seen.record(bus.observableState.phase) }
    process.perform(.becomeActive)
    expectLifecycle(
      seen,
      matches: """
          [0 s inactive] seen: inactive
          [0 s active] seen: active
        """
    )
    token.cancel()
  }

  @Test("The bus keeps it, and it does not keep the bus; who holds it keeps it after the bus")
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

  @Test("A bus with one can be released by another thread")
  func releasedElsewhere() async {
    let bus = Locked<LifecycleBus?>(LifecycleBus(clock: ManualClock()))
    let object = bus.withLock { $0!.observableState }
    await awaitOtherThread { bus.withLock { $0.take() }.map { _ in } ?? () }
    await mainQueueToDrain()
    expectNoDifference(object.phase, .unknown)
  }
}
