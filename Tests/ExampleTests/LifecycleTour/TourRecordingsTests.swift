import ArgumentParser
import CustomDump
import Foundation
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@testable import lifecycle_tour

@Suite("The recordings of the tour")
struct TourRecordingsTests {
  @Test("A damaged recording of one child leaves those of the others")
  func damagedChild() throws {
    let recordings = try TourRecordings()
    let (broken, damaged) = (recordings.addChild("sensor")[1], recordings.addChild("receiver")[1])
    let start = FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))
    let receiver = FlightRecording(
      process: .init(name: "lifecycle-tour receiver", id: 8),
      start: start
    )
    try "oops\n".write(toFile: broken, atomically: false, encoding: .utf8)
    let lines = String(decoding: receiver.jsonLines, as: UTF8.self)
    try (lines + "{oops\n").write(toFile: damaged, atomically: false, encoding: .utf8)
    var reports: [String] = []
    expectNoDifference(recordings.all { reports.append($0) }, [receiver])
    expectNoDifference(reports.count, 2)
    expectNoDifference(reports.first?.contains(broken), true)
    expectNoDifference(reports.last?.hasPrefix("receiver, line 2: "), true)
  }

  @Test("An output file that cannot be written leaves the other one", arguments: [true, false])
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
