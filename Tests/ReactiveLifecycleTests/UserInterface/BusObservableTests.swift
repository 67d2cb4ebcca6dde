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
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didFinishLaunching)
    #expect(bus.liveSubscriptions.isEmpty)
    let object = bus.observableState
    #expect(object === bus.observableState)
    #expect(bus.liveSubscriptions.count == 1)
    let trace = Trace()
    let token = bus.addObserver { [unowned bus] event in
      trace("\(event.phase) \(bus.observableState.phase)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(trace.lines, ["inactive inactive", "active active"])
    token.cancel()
  }

  @Test("The bus keeps it, and it does not keep the bus; who holds it keeps it after the bus")
  func objectDoesNotKeepTheBus() {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    weak let weakObject = bus!.observableState
    bus!.send(.didBecomeActive)
    #expect(weakObject?.phase == .active)
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
    #expect(object.phase == .unknown)
  }
}
