import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What the closures of a `sink` captured is released, while the cancellable is still held.
@MainActor
@Suite("Sink: what was captured is released")
struct SinkReleaseTests {
  struct Captures {
    let value: Weak<Canary>
    let completion: Weak<Canary>
    var alive: [Bool] { [value.isAlive, completion.isAlive] }
  }

  private func sink<Output>(
    _ stream: LifecyclePublisher<Output>,
    _ trace: Trace = Trace()
  ) -> (AnyCancellable, Captures) {
    let (value, completion) = (Canary(), Canary())
    let cancellable = stream.sink { _ in
      completion.sing()
      trace("finished")
    } receiveValue: { _ in
      value.sing()
      trace("value")
    }
    return (cancellable, Captures(value: Weak(value), completion: Weak(completion)))
  }

  /// One of each stream.
  private func sinks(_ bus: any LifecycleBusProtocol) -> [(AnyCancellable, Captures)] {
    [
      sink(bus.events), sink(bus.phases), sink(bus.backgroundStays),
      sink(bus.publisher(for: .systemDidWake)),
    ]
  }

  private func check(
    _ sinks: [(AnyCancellable, Captures)],
    areAlive: Bool,
    line: UInt = #line
  ) {
    let alive = sinks.flatMap(\.1.alive)
    expectNoDifference(alive, Array(repeating: areAlive, count: 8), line: line)
  }

  @Test("After a cancel", arguments: BusKind.allCases)
  func releasedAfterCancel(_ kind: BusKind) {
    let bus = kind.make()
    let sinks = sinks(bus)
    check(sinks, areAlive: true)
    for (cancellable, _) in sinks { cancellable.cancel() }
    check(sinks, areAlive: false)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("After the end", arguments: BusKind.allCases)
  func releasedAfterTheEnd(_ kind: BusKind) {
    let bus = kind.make()
    let sinks = sinks(bus)
    bus.send(.willTerminate)
    check(sinks, areAlive: false)
    withExtendedLifetime(sinks) {}
  }

  @Test("After the release of the bus", arguments: BusKind.allCases)
  func busReleased(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let sinks = sinks(bus!)
    bus = nil
    check(sinks, areAlive: false)
    #expect(bus == nil)
  }

  @Test("Of a latecomer, at once", arguments: BusKind.allCases)
  func capturesOfLatecomerAreReleasedAtOnce(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.willTerminate)
    check(sinks(bus), areAlive: false)
  }

  @Test("Cancelled in a delivery: before the next event", arguments: BusKind.allCases)
  func cancelledInDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<[(AnyCancellable, Captures)]>([])
    let token = bus.addObserver { event in
      if event.sequenceNumber == 1 { for sink in box.value! { sink.0.cancel() } }
      trace("\(event.sequenceNumber): \(box.value!.flatMap(\.1.alive).contains(true))")
    }
    box.value = sinks(bus)
    bus.send(.willEnterForeground)
    expectNoDifference(trace.lines, ["1: true", "2: false"])
    token.cancel()
  }

  @Test("Cancelled off the main actor, a main-actor bus releases there")
  func cancelledElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let box = UncheckedBox<AnyCancellable>()
    do {
      let canary = Canary {
        MainActor.assertIsolated()
        trace("released")
      }
      box.value = bus.events.sink { _ in canary.sing() }
    }
    onOtherThread { box.value?.cancel() }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["released"])
  }

  @Test("A sink does not keep the bus, nor a cancelled one its core", arguments: BusKind.allCases)
  func nothingIsKept(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    let weakBus = bus.map { WeakBus(bus: $0) }
    let sinks = sinks(bus!)
    bus = nil
    #expect(weakBus?.bus == nil)
    for (cancellable, _) in sinks { cancellable.cancel() }
    #expect(weakBus?.core == nil)
    withExtendedLifetime(sinks) {}
  }

  struct WeakBus {
    weak let bus: (any LifecycleBusProtocol)?
    weak let core: AnyObject?

    init(bus: any LifecycleBusProtocol) {
      self.bus = bus
      core = bus.core
    }
  }
}
