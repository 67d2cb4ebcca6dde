import LifecycleCombine
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

// The README, beside the programs of `Examples` that it shows.

@MainActor
final class NearbyModel {
  private(set) var loads = 0
  private(set) var places: [String] = []
  private let scope = LifecycleScope("nearby")

  init(bus: LifecycleBus, visits: some Publisher<String, Never>) {
    bus.onOpen(in: scope, catchUp: .currentPhase) { [weak self] opening in
      guard let self else { return }
      let away = opening.timeInBackground
      if loads == 0 || away > .seconds(60) { loads += 1 }
    }
    visits.whilePhase(.foreground, of: bus)
      .sink { [weak self] in self?.places.append($0) }
      .store(in: scope)
  }
}

@Test("Loads at an opening, pauses between") @MainActor
func loadsAndPauses() {
  let life = ScriptedLifecycle()
  let visits = PassthroughSubject<String, Never>()
  let model = NearbyModel(bus: life.bus, visits: visits)
  life.perform(.launch, .becomeActive)
  visits.send("Main Street")
  life.perform(.background(for: .seconds(30)))
  #expect(model.loads == 1)
  life.perform(.enterBackground)
  life.perform(.advance(by: .seconds(32_400)))
  visits.send("home, asleep")
  life.perform(.becomeActive)
  #expect(model.loads == 2)
  #expect(model.places == ["Main Street"])
}
