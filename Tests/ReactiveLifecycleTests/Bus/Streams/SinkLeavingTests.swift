import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Sink: leaving")
struct SinkLeavingTests {
  /// The streams of events.
  enum Stream: CaseIterable {
    case events, publisher, phases, backgroundStays

    func sink(
      _ bus: any LifecycleBusProtocol,
      finished: @escaping () -> Void = {},
      _ body: @escaping () -> Void
    ) -> AnyCancellable {
      switch self {
      case .events:
        bus.events.sink { _ in
          finished()
        } receiveValue: { _ in
          body()
        }
      case .publisher:
        bus.publisher(for: [.willEnterForeground, .willTerminate], catchUp: .path)
          .sink { _ in
            finished()
          } receiveValue: { _ in
            body()
          }
      case .phases:
        bus.phases.sink { _ in
          finished()
        } receiveValue: { _ in
          body()
        }
      case .backgroundStays:
        bus.backgroundStays.sink { _ in
          finished()
        } receiveValue: { _ in
          body()
        }
      }
    }
  }

  /// Tells every stream something.
  private func roundTrip(_ bus: any LifecycleBusProtocol) {
    bus.send(all: .didEnterBackground, .didBecomeActive)
  }

  @Test(
    "Cancelled inside its own closure, it has been called for the last time",
    arguments: BusKind.allCases,
    Stream.allCases
  )
  func cancelsItself(_ kind: BusKind, _ stream: Stream) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<AnyCancellable>()
    let canary = Locked<Weak<Canary>?>(nil)
    do {
      let captured = Canary()
      canary.withLock { $0 = Weak(captured) }
      box.value = stream.sink(bus, finished: { trace("finished") }) {
        trace("called")
        box.value?.cancel()
        box.value?.cancel()
        // What runs is not released under its feet.
        captured.sing()
        trace(canary.withLock { $0!.isAlive } ? "alive" : "gone")
      }
    }
    if stream == .phases {
      // Its first call came before there was something to cancel with.
      expectNoDifference(trace.take(), ["called", "alive"])
    }
    roundTrip(bus)
    expectNoDifference(trace.take(), ["called", "alive"])
    #expect(!canary.withLock { $0!.isAlive })
    #expect(bus.liveSubscriptions.isEmpty)
    roundTrip(bus)
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "Cancelled by another observer, it misses the event in delivery",
    arguments: BusKind.allCases,
    Stream.allCases
  )
  func cancelledByAnother(_ kind: BusKind, _ stream: Stream) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<AnyCancellable>()
    bus.send(.didEnterBackground)
    // Stands in front of it going up.
    let killer = bus.addObserver { _ in
      trace("killer")
      box.value?.cancel()
    }
    box.value = stream.sink(bus, finished: { trace("finished") }) { trace("called") }
    _ = trace.take()
    bus.send(.willEnterForeground)
    expectNoDifference(trace.take(), ["killer"])
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["killer", "killer"])
    killer.cancel()
  }

  @Test(
    "Cancelled by the last value, it is not told of the end",
    arguments: BusKind.allCases,
    Stream.allCases
  )
  func cancelledBeforeItsCompletion(_ kind: BusKind, _ stream: Stream) {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let trace = Trace()
    let box = UncheckedBox<AnyCancellable>()
    let killer = bus.addObserver(for: [.willTerminate]) { _ in box.value?.cancel() }
    let atFirst = bus.events.sink { _ in
      trace("first finished")
      box.value?.cancel()
    } receiveValue: { _ in
    }
    box.value = stream.sink(bus, finished: { trace("finished") }) {}
    let other = stream.sink(bus, finished: { trace("other finished") }) {}
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["first finished", "other finished"])
    withExtendedLifetime((killer, atFirst, other)) {}
  }

  @Test("Cancelled by an earlier one's completion, it gets none", arguments: BusKind.allCases)
  func cancelledByACompletion(_ kind: BusKind) {
    for stream in Stream.allCases {
      let bus = kind.make()
      let trace = Trace()
      let box = UncheckedBox<AnyCancellable>()
      let first = bus.events.sink { _ in
        trace("first finished")
        box.value?.cancel()
      } receiveValue: { _ in
      }
      box.value = stream.sink(bus, finished: { trace("finished") }) {}
      bus.send(.willTerminate)
      expectNoDifference(trace.lines, ["first finished"])
      first.cancel()
    }
  }

  @Test(
    "Cancelled after the end, and inside the completion: nothing more",
    arguments: BusKind.allCases,
    Stream.allCases
  )
  func cancelledAfterTheEnd(_ kind: BusKind, _ stream: Stream) {
    let bus = kind.make()
    let trace = Trace()
    let box = UncheckedBox<AnyCancellable>()
    box.value = stream.sink(
      bus,
      finished: {
        trace("finished")
        box.value?.cancel()
      },
      {}
    )
    bus.send(.willTerminate)
    box.value?.cancel()
    box.value = nil
    bus.send(.systemDidWake)
    expectNoDifference(trace.lines, ["finished"])
  }

  @Test(
    "Dropped without a cancel, it is silent and gone",
    arguments: BusKind.allCases,
    Stream.allCases
  )
  func droppedWithoutCancelItIsSilentAndGone(_ kind: BusKind, _ stream: Stream) {
    let bus = kind.make()
    let trace = Trace()
    var cancellable: AnyCancellable? = stream.sink(bus) { trace("called") }
    roundTrip(bus)
    #expect(!trace.take().isEmpty)
    expectNoDifference(bus.liveSubscriptions.count, 1)
    cancellable = nil
    roundTrip(bus)
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
    expectNoDifference(cancellable, nil)
  }
}
