import CustomDump
import Foundation
import Testing

@Suite("Documentation samples of recordings in files run")
struct RecordingFileSampleRuns {
  private func withSample(_ body: (RecordingFileSample) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(RecordingFileSample(path: directory.appending(path: "flight").path))
  }

  @Test("A recording is written, and read again")
  func recordingIsRead() throws {
    try withSample { sample in expectNoDifference(try sample.writesAndReads(), true) }
  }

  @Test("What a file contains and lacks is printed")
  func contentsArePrinted() throws {
    try withSample { sample in
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
}
