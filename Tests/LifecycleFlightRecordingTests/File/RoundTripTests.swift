import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import ReactiveLifecycle

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
    }
  }

  @Test("It is the same through a file, and with the line ends and marks of other systems")
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

  @Test("Each line is an object of texts and numbers, save for sources and metadata")
  func linesAreFlat() throws {
    var random = RandomRecording(seed: 2)
    for line in random.next(recordCount: 300).jsonLines.split(separator: UInt8(ascii: "\n")) {
      let object = try JSONDecoder().decode([String: LineValue].self, from: Data(line))
      for (name, value) in object {
        switch name {
        case "metadata": expectNoDifference(value, .texts)
        case "sources": expectNoDifference(value, .objects)
        default: expectNoDifference(value, .scalar)
        }
      }
    }
  }

  @Test("The lines are those that the documentation describes")
  func lines() throws {
    expectNoDifference(
      String(decoding: FlightRecording.sample.jsonLines, as: UTF8.self),
      sampleLines
    )
    #expect(try FlightFile(parsing: Array(sampleLines.utf8)) == FlightFile(.sample))
  }

  @Test("The order of the fields of a line has no meaning")
  func orderOfFields() throws {
    var random = RandomRecording(seed: 3)
    let recording = random.next(recordCount: 300)
    let lines = recording.jsonLines.split(separator: UInt8(ascii: "\n"))
    let reversed = lines.map { Array("{".utf8) + reversedFields($0) + Array("}".utf8) }
    #expect(zip(lines, reversed).allSatisfy { Array($0) != $1 })
    let file = try FlightFile(parsing: Array(reversed.joined(separator: Array("\n".utf8))))
    expectNoDifference(file, FlightFile(recording))
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

  @Test("Names of kinds and sources that were read are kept when their file is released")
  func namesAreKept() throws {
    let names = ["kind", "source"].map { "\($0) of \(UUID())" }
    let lines = sampleLines.replacing("didBecomeActive", with: names[0])
      .replacing("focus", with: names[1])
    #expect(try FlightFile(parsing: Array(lines.utf8)).damage.isEmpty)
    // Names have numbers in the order in which they were added.
    let later = InternedName("later than \(names)")
    for name in names { #expect(InternedName(name).id < later.id) }
  }

  @Test("Times are cut to nanoseconds, and limited to 292 years")
  func precision() throws {
    func written(_ duration: Duration) throws -> Duration? {
      let instant = LifecycleInstant(
        continuous: .init(timeSinceBoot: duration),
        timeAwake: .zero,
        timeSince1970: .zero
      )
      let recording = FlightRecording(process: .init(name: "", id: 1), start: .init(at: instant))
      let file = try FlightFile(parsing: recording.jsonLines)
      return file.recordings.first?.start.instant.continuous.timeSinceBoot
    }
    let attoseconds = Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999)
    #expect(try written(attoseconds) == .nanoseconds(1_000_000_001))
    #expect(try written(.zero - attoseconds) == .nanoseconds(-1_000_000_001))
    #expect(try written(.seconds(Int64.max)) == .nanoseconds(Int64.max))
    #expect(try written(.seconds(Int64.min)) == .nanoseconds(Int64.min))
    let greatest = Duration(attoseconds: .max)
    #expect(try written(greatest) == .nanoseconds(Int64.max))
  }

  @Test("A stay keeps its invariant when it is cut")
  func stays() throws {
    let away = Duration(secondsComponent: 3, attosecondsComponent: 500_000_000)
    let origin = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    for (away, awake) in [(away, Duration.zero), (.seconds(Int64.max), .seconds(1)), (away, away)] {
      let returned = LifecycleInstant(
        continuous: .boot + away,
        timeAwake: awake,
        timeSince1970: .seconds(Int64.min)
      )
      let event = LifecycleEvent(
        kind: .willEnterForeground,
        previousPhase: .background,
        phase: .inactive,
        sequenceNumber: 1,
        instant: returned,
        origin: .manual,
        backgroundStay: BackgroundStay(from: origin, to: returned)
      )
      let recording = FlightRecording(
        process: .init(name: "", id: 1),
        start: .init(at: origin),
        records: [FlightRecord(.event(event), at: returned)]
      )
      #expect(try FlightFile(parsing: recording.jsonLines).damage == [])
    }
  }

  @Test("Numbers beyond the format's are limited, so that every file that is written can be read")
  func numbers() throws {
    let instant = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    let contents: [FlightRecord.Content] = [
      .disconnected(source: -1), .observerRemoved(observer: .max),
      .observerAdded(.init(id: 1, location: .init(fileID: "a", line: .max))),
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
        .observerAdded(.init(id: 1, location: .init(fileID: "a", line: UInt(greatest)))),
      ]
    )
  }
}

/// The fields of an object, in the reverse order.
private func reversedFields(_ object: ArraySlice<UInt8>) -> [UInt8] {
  var fields: [[UInt8]] = [[]]
  var (depth, isText, isEscaped) = (0, false, false)
  for byte in object.dropFirst().dropLast() {
    switch byte {
    case UInt8(ascii: "\""): if !isEscaped { isText.toggle() }
    case UInt8(ascii: "{"), UInt8(ascii: "["): if !isText { depth += 1 }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isText { depth -= 1 }
    default: break
    }
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    if byte == UInt8(ascii: ","), depth == 0, !isText {
      fields.append([])
    } else {
      fields[fields.count - 1].append(byte)
    }
  }
  return Array(fields.reversed().joined(separator: Array(",".utf8)))
}

/// The form of a value in a line.
private enum LineValue: Decodable {
  case scalar, texts, objects

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if (try? container.decode(String.self)) != nil || (try? container.decode(Double.self)) != nil {
      self = .scalar
    } else if (try? container.decode([String: String].self)) != nil {
      self = .texts
    } else {
      _ = try container.decode([[String: LineValue]].self)
      self = .objects
    }
  }
}
