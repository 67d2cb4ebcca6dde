import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

extension FlightRecorderTests {
  @Test("A source that joins a participant is recorded with the phase that the participant has")
  func phaseOfParticipant() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    let (first, second) = (FeedSource("first"), FeedSource("second"))
    var connections = [try bus.connect(first, as: .participant("scene"))]
    first.feed.send(.willEnterForeground)
    connections.append(try bus.connect(second, as: .participant("scene")))
    expectNoDifference(
      recorder.recording.lines.filter { $0.hasPrefix("connected") },
      [
        "connected 1 first as participant scene, unknown",
        "connected 2 second as participant scene, inactive",
      ]
    )
    withExtendedLifetime(connections) {}
  }

  @Test("The disconnection of a source is followed by those of its parts, then by the events")
  func disconnectionOfParts() throws {
    let bus = LifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    let scenes = FeedSource("scenes")
    let connection = try bus.connect(scenes)
    scenes.feed.part(as: .participant("window")).send(.willEnterForeground)
    let count = recorder.recording.records.count
    connection.cancel()
    expectNoDifference(
      recorder.recording.lines.dropFirst(count),
      [
        "disconnected 1", "disconnected 2",
        "event 3 didEnterBackground inactive→background synthesized",
      ]
    )
  }
}
