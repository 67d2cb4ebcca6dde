import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of recorders and scripts run")
@MainActor
struct RecorderSampleRuns {
  private let samples = RecorderSamples()

  @Test("A publisher and closures are recorded")
  func recorders() {
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
  func scripts() {
    samples.script()
    expectNoDifference(samples.storedSteps(), .active)
  }

  @Test("What was stored goes on after a relaunch")
  func relaunch() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "state").path
    expectNoDifference(samples.relaunch(path: path), 40)
  }
}
