import LifecycleCombine
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

// The README, beside the programs of `Examples` that it shows.

@MainActor final class NearbyModel {
  private(set) var loads: [LifecycleInstant] = []
  private(set) var places: [String] = []
  private let scope = LifecycleScope("nearby")

  init(bus: LifecycleBus, visits: some Publisher<String, Never>) {
    bus.onOpen(in: scope, catchUp: .currentPhase) {
      [weak self, clock = bus.clock] _ in self?.load(at: clock.now)
    }
    visits.whilePhase(.foreground, of: bus)
      .sink { [weak self] in self?.places.append($0) }
      .store(in: scope)
  }

  private func load(at now: LifecycleInstant) {
    let age = loads.last?.duration(to: now) ?? .seconds(60)
    if age >= .seconds(60) { loads.append(now) }
  }
}

@Test("Loads if a minute old, pauses between") @MainActor
func loadsAndPauses() {
  let life = ScriptedLifecycle()
  let visits = PassthroughSubject<String, Never>()
  let model = NearbyModel(bus: life.bus, visits: visits)
  life.perform(.launch, .becomeActive)
  visits.send("Main Street")
  life.perform(.background(for: .seconds(30)))
  #expect(model.loads.count == 1)
  life.perform(.enterBackground, .advance(by: .seconds(30)))
  visits.send("home, unseen")
  life.perform(.becomeActive)
  #expect(model.loads.count == 2)
  #expect(model.places == ["Main Street"])
}
