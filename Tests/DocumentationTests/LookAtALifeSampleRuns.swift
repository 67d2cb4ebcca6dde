import Foundation
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of looking at a life run")
@MainActor
struct LookAtALifeSampleRuns {
  @Test("A life is recorded, looked at, and replayed")
  func recordLookAndReplay() throws {
    let directory = TemporaryDirectory()
    let samples = LookAtALifeSamples(path: directory.path("life"))
    let recorder = FlightRecorder(of: samples.bus)
    try samples.record(number: 1)
    for kind: LifecycleEvent.Kind in [.didBecomeActive, .didEnterBackground, .didBecomeActive] {
      samples.bus.send(kind)
    }
    samples.bus.send(.willTerminate)
    samples.expectEnd(of: recorder)
    #expect(try samples.look().contains("rental 1 began"))
    #expect(try samples.replay().contains("willTerminate"))
    try samples.findNothing()
    try samples.printFindings()
  }
}
