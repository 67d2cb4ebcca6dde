import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of history and time run")
@MainActor
struct HistorySampleRuns {
  @Test("The bus tells which phase there was, and for how long")
  func busTellsWhichPhaseThereWas() {
    let samples = HistorySamples()
    samples.foreground()
    samples.background()
    expectNoDifference(samples.output, [])
    samples.phases()
    samples.clock.advance(by: .seconds(600))
    samples.foreground()
    samples.background()
    expectNoDifference(
      samples.output,
      [
        "background", "active", "in use for 600.0 seconds of the last ten minutes",
        "away for 60.0 seconds in all",
      ]
    )
  }

  @Test("A long stay refreshes, a clock that was set reloads")
  func longStayRefreshesAndSetClockReloads() {
    let samples = HistorySamples()
    let scope = LifecycleScope()
    samples.stays(in: scope)
    samples.bus.send(.didEnterBackground)
    samples.clock.advance(by: .seconds(301))
    samples.bus.send(.didBecomeActive)
    samples.bus.send(.didEnterBackground)
    samples.clock.setWallClock(by: .seconds(60))
    samples.bus.send(.didBecomeActive)
    scope.end()
    expectNoDifference(samples.output, ["refreshed", "reloaded: the clock was set"])
  }

  @Test("The manual clock parts the three clocks")
  func manualClock() {
    let samples = HistorySamples()
    samples.manualClock()
    expectNoDifference(
      samples.output,
      ["100.0 seconds away", "40.0 seconds", "-3500.0 seconds"]
    )
  }
}
