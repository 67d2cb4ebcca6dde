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
}
