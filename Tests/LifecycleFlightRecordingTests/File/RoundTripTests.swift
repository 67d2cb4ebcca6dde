import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleCore

@Suite("Recording files: what is written is read")
struct RoundTripTests {
  @Test("Any recording is the same after it was written and read")
  func anyRecording() throws {
    for seed in seeds(150) {
      var random = RandomRecording(seed: seed)
      let recordings = [random.next(), random.next(recordCount: 0), random.next()]
      let file = try FlightFile(parsing: recordings.flatMap(\.jsonLines))
      expectNoDifference(file.recordings, recordings, "seed \(seed)")
      expectNoDifference(file.damage, [], "seed \(seed)")
      // Extreme times are no trap.
      #expect(file.findings().allSatisfy { !$0.description.isEmpty })
    }
  }

  @Test("A recording is the same with CRLF, blank lines, or a byte order mark")
  func otherLineEnds() throws {
    var random = RandomRecording(seed: 1)
    let recording = random.next(recordCount: 50)
    let directory = TemporaryDirectory()
    try recording.write(to: directory.path("a"))
    #expect(try FlightFile(contentsOf: directory.path("a")).recordings == [recording])
    let lines = recording.jsonLines.split(separator: UInt8(ascii: "\n"))
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let crlf = mark + lines.joined(separator: Array("\r\n".utf8))
    let spread = lines.joined(separator: Array(" \t\n\n\r\n".utf8)) + Array("\n\n".utf8)
    for bytes in [crlf, spread] {
      let file = try FlightFile(parsing: bytes)
      expectNoDifference(file, FlightFile(recording))
    }
  }

  @Test("A file that is read in pieces, whose lines end elsewhere, has every line")
  func pieces() throws {
    let directory = TemporaryDirectory()
    var random = RandomRecording(seed: 2)
    let recordings = [random.next(recordCount: 1_500), random.next(recordCount: 1_500)]
    let bytes = recordings.flatMap(\.jsonLines)
    // A piece has 2^18 bytes.
    #expect(bytes.count > 3 << 18)
    directory.write(bytes, to: "whole")
    #expect(try FlightFile(contentsOf: directory.path("whole")) == FlightFile(parsing: bytes))
    directory.write(bytes.dropLast(10), to: "cut")
    let cut = try FlightFile(contentsOf: directory.path("cut"))
    expectNoDifference(cut.damage.map(\.line), [3_002])
    expectNoDifference(cut.recordings.map(\.records.count), [1_500, 1_499])
  }

  @Test("The lines are those that the documentation describes")
  func lines() throws {
    expectNoDifference(
      String(decoding: FlightRecording.sample.jsonLines, as: UTF8.self),
      sampleLines
    )
    #expect(try FlightFile(parsing: Array(sampleLines.utf8)) == FlightFile(.sample))
  }

  @Test(
    "The command that the documentation names lists the events with their times",
    .enabled(if: ProgramCapability.isInPath("jq"), "jq is not installed"),
    .startsProcesses
  )
  func listedByTool() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/LifecycleFlightRecording/Documentation.docc")
      .appending(path: "RecordingFormat.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let command = try #require(text.split(separator: "\n").first { $0.hasPrefix("jq ") })
    let directory = TemporaryDirectory()
    try FlightRecording.sample.write(to: directory.path("flight"))
    let script = #"cd "$1" && export TZ=UTC && "# + command
    let (status, lines) = try runProgram("/bin/sh", ["-c", script, "sh", directory.path])
    expectNoDifference(status, .exited(0))
    expectNoDifference(lines, "00:00:12 willEnterForeground\n")
  }

  @Test("Times are cut to nanoseconds, and limited to 292 years")
  func precision() throws {
    func written(_ duration: Duration) throws -> Duration? {
      let instant = LifecycleInstant(everyClock: duration)
      let recording = FlightRecording(process: .init(name: "", id: 1), start: .init(at: instant))
      let file = try FlightFile(parsing: recording.jsonLines)
      return file.recordings.first?.start.instant.continuous.timeSinceBoot
    }
    let attoseconds = Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999)
    #expect(try written(attoseconds) == .nanoseconds(1_000_000_001))
    #expect(try written(.zero - attoseconds) == .nanoseconds(-1_000_000_001))
    #expect(try written(.seconds(Int64.max)) == .nanoseconds(Int64.max))
    #expect(try written(.seconds(Int64.min)) == .nanoseconds(Int64.min))
  }

  @Test("A stay keeps its invariant when it is cut")
  func stays() throws {
    let away = Duration(secondsComponent: 3, attosecondsComponent: 500_000_000)
    let origin = LifecycleInstant(everyClock: .zero)
    for (away, awake) in [(away, Duration.zero), (.seconds(Int64.max), .seconds(1)), (away, away)] {
      let returned = LifecycleInstant(
        continuous: .boot + away,
        timeAwake: awake,
        timeSince1970: .seconds(Int64.min)
      )
      var recording = FlightRecording.sample
      guard case .event(var event) = recording.records[2].content else { continue }
      event.backgroundStay = BackgroundStay(from: origin, to: returned)
      recording.records[2].content = .event(event)
      #expect(try FlightFile(parsing: recording.jsonLines).damage == [])
    }
  }

  @Test("Numbers beyond the format's are limited, so that every file that is written can be read")
  func numbers() throws {
    let instant = LifecycleInstant(everyClock: .zero)
    let contents: [FlightRecord.Content] = [
      .disconnected(source: -1), .observerRemoved(observer: .max),
      .observerAdded(observer: 1, .init(fileID: "a", line: .max)),
    ]
    let recording = FlightRecording(
      process: .init(name: "", id: -1),
      start: .init(at: instant, dropped: -5),
      records: contents.map { FlightRecord($0, at: instant) }
    )
    let file = try FlightFile(parsing: recording.jsonLines)
    expectNoDifference(file.damage, [])
    let greatest = 1 << 53 - 1
    expectNoDifference(
      file.recordings.first?.records.map(\.content),
      [
        .disconnected(source: 0), .observerRemoved(observer: greatest),
        .observerAdded(observer: 1, .init(fileID: "a", line: UInt(greatest))),
      ]
    )
  }
}
