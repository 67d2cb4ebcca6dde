import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Recordings of a script")
struct ScriptRecordingTests {
  private let lifecycle = NonisolatedScriptedLifecycle()

  @Test("A recording begins with the bus, before the launch, and ends with the kill")
  func beginAndEnd() {
    let (bus, start) = (lifecycle.bus, lifecycle.clock.now)
    lifecycle.perform(.advance(by: .seconds(10)), .launch, .kill)
    expectNoDifference(bus.send(.didReceiveMemoryWarning), .delivered)
    let recording = lifecycle.recordings[0]
    expectNoDifference(recording.start.instant, start)
    expectNoDifference(
      "\(recording.transcript)",
      "  [10 s background] didFinishLaunching"
    )
  }

  @Test("A recording has the latest 10,000 records")
  func latestRecords() {
    lifecycle.perform(.launch)
    // An input and an event each.
    for _ in 1...5_001 { lifecycle.bus.send(.didReceiveMemoryWarning) }
    let recording = lifecycle.recordings[0]
    expectNoDifference(recording.records.count, 10_000)
    #expect(recording.start.dropped > 0)
    guard case .event(let last) = recording.records.last?.content else {
      Issue.record("The last record is no event.")
      return
    }
    expectNoDifference(last.sequenceNumber, 5_002)
  }
}
