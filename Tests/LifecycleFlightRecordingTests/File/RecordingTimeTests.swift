import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recordings: time by size")
struct RecordingTimeTests {
  enum Work: CaseIterable {
    case read, write, findInFile, find, join, copy

    /// Returns the work with that number of records, prepared.
    fileprivate func prepared(_ count: Int) -> () throws -> Void {
      let recorder = FlightRecorder(
        of: NonisolatedLifecycleBus(clock: ManualClock()),
        capacity: count
      )
      for number in 0..<count { recorder.note("\(number)") }
      let recording = recorder.recording
      switch self {
      case .read:
        let bytes = recording.jsonLines
        return { _ = try FlightFile(parsing: bytes) }
      case .write: return { _ = recording.jsonLines }
      case .findInFile:
        let file = FlightFile(recording)
        return { _ = file.findings() }
      case .find: return { _ = recording.findings() }
      case .join:
        let parts = recording.records.enumerated().map { number, record in
          var start = recording.start
          start.dropped = number
          return FlightRecording(process: recording.process, start: start, records: [record])
        }
        return { _ = FlightRecording.joined(parts) }
      case .copy: return { _ = recorder.recording }
      }
    }
  }

  /// The limit is three times what is proportional, and a tenth of what the square is.
  @Test("The time grows with the number of records, not with its square", arguments: Work.allCases)
  func linear(_ work: Work) throws {
    let times = try [500, 16_000].map { count in
      let body = work.prepared(count)
      return try (1...3).map { _ in try processorTime(of: body) }.min()!
    }
    #expect(times[1] < times[0] * (32 * 3), "\(times)")
  }
}
