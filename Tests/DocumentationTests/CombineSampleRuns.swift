import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of LifecycleCombine run")
@MainActor
struct CombineSampleRuns {
  @Test("A headline follows the phase, on either Combine")
  func headlineFollowsPhase() {
    let bus = LifecycleBus(clock: ManualClock())
    let headline = Headline(of: bus)
    #expect(headline.text == "Paused")
    bus.send(.didBecomeActive)
    #expect(headline.text == "Playing")
    bus.send(.didEnterBackground)
    #expect(headline.text == "Paused")
  }
}
