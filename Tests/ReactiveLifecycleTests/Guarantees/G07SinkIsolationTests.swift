import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A closure given to `sink` belongs to the actor in whose code it is written.
@Suite("G7 Where observers run: sink")
struct G07SinkIsolationTests {
  @MainActor
  @Test("A main-actor closure is called on the main actor by both", arguments: BusKind.allCases)
  func sentOnTheMainActor(_ kind: BusKind) {
    let bus = kind.make()
    var phases: [LifecyclePhase] = []
    var isFinished = false
    let cancellable = bus.phases.sink { _ in
      isFinished = true
    } receiveValue: { phase in
      MainActor.assertIsolated()
      phases.append(phase)
    }
    bus.send(all: .didFinishLaunching, .willTerminate)
    expectNoDifference(phases, [.unknown, .background, .terminated])
    #expect(isFinished)
    cancellable.cancel()
  }

  @MainActor
  @Test("A LifecycleBus calls it there, wherever it was sent")
  func mainActorBus() async {
    let bus = LifecycleBus(clock: ManualClock())
    var lines: [String] = []
    let events = bus.events.sink { _ in
      lines.append("finished")
    } receiveValue: { event in
      MainActor.assertIsolated()
      lines.append(event.shortLine)
    }
    let phases = bus.phases.sink { lines.append("\($0)") }
    _ = await awaitOtherThread { bus.send(.didFinishLaunching) }
    await mainQueueToDrain()
    _ = await awaitOtherThread { bus.send(.willTerminate) }
    await mainQueueToDrain()
    expectNoDifference(
      lines,
      [
        "unknown", "1 didFinishLaunching", "background", "terminated", "2 willTerminate",
        "finished",
      ]
    )
    withExtendedLifetime((events, phases)) {}
  }

  actor Home {
    var lines: [String] = []

    func observe(_ bus: NonisolatedLifecycleBus) -> [String] {
      let cancellable = bus.events.sink { self.lines.append($0.shortLine) }
      bus.send(.systemDidWake)
      cancellable.cancel()
      return lines
    }
  }

  @Test("An actor's closure is called on that actor")
  func anotherActor() async {
    let lines = await Home().observe(NonisolatedLifecycleBus(clock: ManualClock()))
    expectNoDifference(lines, ["1 systemDidWake"])
  }
}

extension G07SinkIsolationTests {
  /// An actor whose closure, as it holds the actor weakly, belongs to no actor.
  actor Keeper {
    private var cancellable: AnyCancellable?
    nonisolated let calls = Trace()

    func observe(_ bus: LifecycleBus) {
      cancellable = bus.events.sink { [weak self] in self?.calls($0.shortLine) }
    }
  }

  @MainActor
  @Test("A closure that holds its actor weakly is called on the main actor, and keeps nothing")
  func weakActor() async {
    let bus = LifecycleBus(clock: ManualClock())
    var keeper: Keeper? = Keeper()
    weak let weakKeeper = keeper
    let calls = keeper!.calls
    await keeper!.observe(bus)
    bus.send(.systemDidWake)
    expectNoDifference(calls.take(), ["1 systemDidWake"])
    keeper = nil
    #expect(weakKeeper == nil)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A main-actor closure that a nonisolated bus calls elsewhere stops the program")
  func valueElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let bus = NonisolatedLifecycleBus()
      let calls = await MainActor.run { MainActorCalls(bus) }
      await awaitOtherThread { _ = bus.send(.systemDidWake) }
      withExtendedLifetime(calls) {}
    }
  }
}

/// Counts on the main actor.
@MainActor
private final class MainActorCalls {
  private var count = 0
  private var cancellable: AnyCancellable?

  init(_ bus: NonisolatedLifecycleBus) {
    cancellable = bus.events.sink { _ in self.count += 1 }
  }
}
