import ArgumentParser
import Foundation
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

  @Test("A child that was killed before it wrote anything leaves an empty file")
  func emptyFile() throws {
    let recordings = try TourRecordings()
    let child = recordings.addChild("sensor")
    try Data().write(to: URL(filePath: child[1]))
    #expect(try recordings.all.isEmpty)
  }

  @Test("A file that cannot be written does not cost the other", arguments: [true, false])
  func unwritableFile(isPage: Bool) throws {
    let directory = TemporaryDirectory()
    let file = directory.path("file")
    let (page, lines) = isPage ? ("/dev/full", file) : (file, "/dev/full")
    let command = try TourCommand.parse(["--html", page, "--recording", lines])
    let start = FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))
    let process = FlightRecording.Process(name: "lifecycle-tour article", id: 7)
    let recordings = [FlightRecording(process: process, start: start)]
    #expect(throws: ExitCode(EX_IOERR)) { try command.write(recordings) }
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(written.contains("lifecycle-tour article"))
  }
}
