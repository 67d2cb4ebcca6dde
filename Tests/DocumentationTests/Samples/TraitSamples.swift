import LifecycleSources
import LifecycleTesting
import LifecycleTestingTraits
import ReactiveLifecycle
import Testing

@Test("Refreshes after a minute away", .lifecycle)
@MainActor
func refreshesAfterMinuteAway() {
  let feed = FeedModel()
  let application = ScriptedLifecycle.application
  application.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  #expect(feed.refreshes == 1)
}

@Test(.lifecycle)
@MainActor
func scriptsTheApplication() {
  ScriptedLifecycle.application.perform(.launch, .becomeActive)
  #expect(LifecycleBus.application.phase == .active)
}

/// A screen of the process's own bus, also in a test.
@MainActor
func screenOfTheProcess() -> CompositionSamples.Screen {
  typealias Screen = CompositionSamples.Screen
  return
    LifecycleBus.withApplication(.liveApplication) { Screen() }
}
