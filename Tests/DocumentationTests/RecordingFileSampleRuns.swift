import CustomDump
import Foundation
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of recordings in files run")
struct RecordingFileSampleRuns {
  private let directory = TemporaryDirectory()
  private var sample: RecordingFileSample { RecordingFileSample(path: directory.path("flight")) }

  @Test("A recording is written, and read again")
  func recordingIsRead() throws {
    expectNoDifference(try sample.writesAndReads(), true)
  }

  @Test("The files of a recording that was rotated are joined")
  func filesAreJoined() throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let recorder = FlightRecorder(of: bus)
    for note in ["a", "b", "c"] { recorder.note(note) }
    let whole = recorder.recording
    var (first, second) = (whole, whole)
    first.records.removeLast(2)
    second.records.removeFirst(1)
    second.start.dropped = 1
    try first.write(to: sample.path + ".1")
    try second.write(to: sample.path)
    expectNoDifference(try sample.joins(), [whole])
  }

  @Test("What a file contains and lacks is printed")
  func contentsArePrinted() throws {
    try sample.recordContinuously()
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: sample.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"record""#.utf8))
    try handle.close()
    let lines = try sample.contents()
    expectNoDifference(lines.first, "line 6: it is cut off after 9 bytes")
    expectNoDifference(lines.count, 2)
  }
}
