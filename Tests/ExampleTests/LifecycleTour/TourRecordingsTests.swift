import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@testable import lifecycle_tour

@Suite("The recordings of the tour")
struct TourRecordingsTests {
  @Test("A child that failed before it recorded anything does not cost those of the others")
  func missingChild() throws {
    let recordings = try TourRecordings()
    #expect(recordings.addChild("countdown").first == "--child-recording")
    let start = FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))
    let process = FlightRecording.Process(name: "lifecycle-tour article", id: 7)
    recordings.add(FlightRecording(process: process, start: start))
    let child = recordings.addChild("sensor")
    let sensor = FlightRecording.Process(name: "lifecycle-tour sensor", id: 8)
    try FlightRecording(process: sensor, start: start).write(to: child[1])
    #expect(try recordings.all.map(\.process) == [process, sensor])
  }
}
