import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of timers and settled phases run")
@MainActor
struct SettleSampleRuns {
  @Test("A connection outlasts a moment in the background")
  func connectionOutlastsMomentInBackground() {
    let sample = ConnectionSample()
    sample.bus.send(.didBecomeActive)
    sample.bus.send(.didEnterBackground)
    sample.clock.advance(by: .seconds(1))
    sample.bus.send(.didBecomeActive)
    expectNoDifference(sample.log, ["disconnected", "connected"])
    sample.bus.send(.didEnterBackground)
    sample.clock.advance(by: .seconds(2))
    expectNoDifference(sample.log, ["disconnected", "connected", "disconnected"])
  }

  @Test("Timers are called when the manual clock reaches them, unless they were cancelled")
  func timersAreCalledWhenManualClockReachesThem() {
    expectNoDifference(timerSamples(), ["five seconds", "five seconds", "closed"])
  }
}
