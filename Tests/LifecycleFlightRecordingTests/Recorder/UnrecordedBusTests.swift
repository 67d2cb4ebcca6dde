import CustomDump
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("The flight recorder: a bus without one")
struct UnrecordedBusTests {
  private let clock = CountingClock()

  @Test("Connecting a source, and the release of the bus, read no clock")
  func clockReads() throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    let before = clock.reads.count
    let connections = try [
      bus!.connect(FeedSource("one")), bus!.connect(FeedSource("two"), as: .ceiling),
    ]
    bus = nil
    expectNoDifference(clock.reads.count, before)
    withExtendedLifetime(connections) {}
  }

  @Test("With a recorder, both are recorded with the time")
  func recorded() throws {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus!)
    let connection = try bus!.connect(FeedSource("one"))
    clock.manual.advance(by: .seconds(1))
    bus = nil
    let records = recorder.recording.records
    expectNoDifference(records.map(\.line), ["connected 1 one as presence, unknown", "ended"])
    expectNoDifference(records.last?.instant, clock.manual.now)
    withExtendedLifetime(connection) {}
  }
}
