import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of recorders and scripts run")
@MainActor
struct RecorderSampleRuns {
  private let samples = RecorderSamples()

  @Test("A publisher and closures are recorded")
  func publisherAndClosuresAreRecorded() {
    samples.publisher()
    expectNoDifference(samples.closure(), [300])
    expectNoDifference(
      "\(samples.closureOfLifecycle())",
      """
        [0 s active] shown: 300
        [90 s active] shown: 210
      """
    )
  }

  @Test("Scripts are performed")
  func scriptsArePerformed() {
    samples.script()
    expectNoDifference(samples.storedSteps(), .active)
  }

  @Test("What was stored goes on after a relaunch")
  func whatWasStoredGoesOnAfterRelaunch() {
    expectNoDifference(samples.relaunch(), 40)
  }
}
