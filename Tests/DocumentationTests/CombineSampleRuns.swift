import CustomDump
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
    expectNoDifference(headline.text, "Paused")
    bus.send(.didBecomeActive)
    expectNoDifference(headline.text, "Playing")
    bus.send(.didEnterBackground)
    expectNoDifference(headline.text, "Paused")
  }
}
