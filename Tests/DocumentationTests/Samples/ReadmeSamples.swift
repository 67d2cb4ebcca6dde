// The README, beside `NearbyModel` and the programs of `Examples` that it shows.
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

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
