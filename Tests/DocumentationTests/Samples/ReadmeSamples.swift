import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

// The README, beside the programs of `Examples` that it shows.

@MainActor
final class FeedModel {
  private(set) var refreshes = 0
  private let scope = LifecycleScope("feed")

  init(bus: LifecycleBus = .application) {
    bus.onReturn(in: scope) { [weak self] stay in
      if stay.duration > .seconds(60) { self?.refreshes += 1 }
    }
  }
}

@Test("Refreshes after more than a minute away")
@MainActor
func refreshesAfterMinute() {
  let lifecycle = ScriptedLifecycle()
  let feed = FeedModel(bus: lifecycle.bus)
  lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(30)))
  #expect(feed.refreshes == 0)

  lifecycle.expect(feed, after: .background(for: .seconds(90), deviceAsleep: .seconds(60))) {
    $0.refreshes = 1
  }
}
