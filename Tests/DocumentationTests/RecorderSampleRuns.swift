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
    samples.partsOfARecording()
    expectNoDifference(samples.closure(), [300])
    expectNoDifference(
      "\(samples.closureOfLifecycle())",
      """
        [0 s active] shown: 300
        [90 s active] shown: 210
      """
    )
  }

  @Test("A sequence is recorded to its end")
  func sequenceIsRecordedToItsEnd() async throws {
    let phases = try await samples.sequence()
    expectNoDifference(phases, [.unknown, .background, .terminated])
  }

  @Test("Scripts are performed")
  func scriptsArePerformed() {
    samples.script()
    samples.partsOfATranscript()
    let heldUp = samples.heldUpTimers()
    expectNoDifference(heldUp.remaining, .seconds(50))
    expectNoDifference(heldUp.states, 2)
    expectNoDifference(samples.storedSteps(), .active)
  }

  @Test("What was stored goes on after a relaunch")
  func whatWasStoredGoesOnAfterRelaunch() {
    expectNoDifference(samples.relaunch(), 40)
  }
}
