import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
import Testing

@MainActor
struct LookAtALifeSamples {
  let bus = LifecycleBus()
  let scope = LifecycleScope("recording")
  let path: String

  func record(number: Int) throws {
    let recorder = FlightRecorder(of: bus)
    try recorder.write(to: path, rotatingAt: 1_000_000, keeping: 2).store(in: scope)
    recorder.note("rental \(number) began")
  }

  func look() throws -> String {
    let file = try FlightFile(contentsOf: path)
    for finding in file.findings() { print(finding) }
    let page = LifecycleTimeline(file.recordings).html
    return page
  }

  func replay() throws -> String {
    let file = try FlightFile(contentsOf: path)
    let lifecycle = ScriptedLifecycle(replaying: file.recordings) { process in
      process.keep(RentalModel(bus: process.bus))
    }
    lifecycle.replay()
    return "\(lifecycle.transcript)"
  }

  func expectEnd(of recorder: FlightRecorder) {
    let findings = recorder.recording.findings()
    #expect(!findings.contains { $0.content == .noTermination })
  }

  func findNothing() throws {
    let findings = try FlightFile(contentsOf: path).findings()
    if findings.isEmpty { print("Nothing unusual.") }
  }

  func printFindings() throws {
    for finding in try FlightFile(contentsOf: path).findings() { print(finding) }
  }
}

@MainActor
final class RentalModel {
  private(set) var returns = 0
  private let scope = LifecycleScope("rental")

  init(bus: LifecycleBus) {
    bus.onReturn(in: scope) { [weak self] _ in self?.returns += 1 }
  }
}
