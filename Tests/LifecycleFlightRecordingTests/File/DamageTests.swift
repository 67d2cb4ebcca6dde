import CustomDump
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@Suite("Recording files: damage")
struct DamageTests {
  static let lines = sampleLines.split(separator: "\n").map(String.init)

  func read(_ lines: [String]) throws -> FlightFile {
    try FlightFile(parsing: Array(lines.joined(separator: "\n").utf8))
  }

  /// Replaces a text in the sample's line with that number, and returns what is reported.
  private func damage(
    _ line: Int,
    replacing text: String,
    by replacement: String,
    location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    var lines = Self.lines
    #expect(lines[line - 1].contains(text), sourceLocation: location)
    lines[line - 1].replace(text, with: replacement)
    let file = try read(lines)
    var expected = FlightRecording.sample
    expected.records.remove(at: line - 2)
    #expect(file.recordings == [expected], sourceLocation: location)
    return file.damage.map(\.description)
  }

  @Test(
    "A line that is no record is skipped and reported with its number and what was found",
    arguments: [
      (#"{"c"#, #"x{"c"#, #"it is not a JSON object: "x{"#),
      (#""record""#, #""recorD""#, #"it has neither the field "format" of a run nor the field "#),
      ("connected", "conected", #"the field "record" is "conected" instead of connected, disco"#),
      (
        "\"number\":5", "\"number\":-5", #"the field "number" is -5 instead of a number from 0 to "#
      ),
      ("\"number\":5", "\"number\":5.5", #"the field "number" is 5.5 instead of a whole number"#),
      ("\"number\":5", "\"number\":[[]]", #"the field "number" is an object, a list, or a numb"#),
      ("\"number\":5,", "", #"the field "number" is missing"#),
      ("12000000000", "92233720368547758070", #"the field "continuous" is "#),
      ("1767225612000000000", "true", #"the field "wall" is true instead of a whole number of "#),
      ("focus", #"fo\ud800cus"#, #"the field "name" is a text with an invalid escape, such as ha"#),
      (#""focus""#, "7", #"the field "name" is 7 instead of a text"#),
      ("active", "activ", #"the field "phase" is "activ" instead of terminated, unknown, backgr"#),
      ("ceiling", "party", #"the field "role" is "party" instead of application, participant, c"#),
      ("ceiling", "participant", #"the field "participant" is missing"#),
      ("focus", "fo\u{0}cus", "it contains a NUL byte"),
    ]
  )
  func values(_ text: String, _ replacement: String, _ reason: String) throws {
    let damage = try damage(2, replacing: text, by: replacement)
    let reported = try #require(damage.first)
    expectNoDifference(damage.count, 1)
    #expect(reported.hasPrefix("line 2: \(reason)"), "\(reported)")
  }

  @Test(
    "A value that would break an invariant is damage",
    arguments: [
      (4, #""asleep":60000000000"#, #""asleep":90000000001"#),
      (4, #""asleep":60000000000,"#, ""), (4, #""away":90000000000"#, #""away":-1"#),
      (4, #""clockShift":-3600000000000,"#, ""), (4, #""inputWall""#, #""input""#),
      (4, #""phase":"inactive""#, #""phase":"asleep""#), (4, "source(processSignals)", "source("),
      (4, #""sequenceNumber":7"#, #""sequenceNumber":9007199254740992"#),
      (4, #"{"signal":"SIGCONT"}"#, #"{"signal":5}"#), (5, "duplicate", "boring"),
      (5, #""source":0"#, #""source":-1"#), (6, #""line":12"#, #""line":-12"#),
      (6, #""observer":4"#, #""observer":-4"#), (8, "countdown", "countup"),
      (8, "began", "begun"), (9, #""outcome":"expired","#, ""), (10, #""text""#, #""texts""#),
    ]
  )
  func invariants(_ line: Int, _ text: String, _ replacement: String) throws {
    let damage = try damage(line, replacing: text, by: replacement)
    #expect(damage.count == 1 && damage.first?.hasPrefix("line \(line): the field \"") == true)
  }

  @Test(
    "A source number that is there twice is damage, and a part that is connected before its whole",
    arguments: [
      (1, #""source":2"#, #""source":1"#, #"line 1: the field "whole" is 1 instead of a number "#),
      (1, #""whole":1"#, #""whole":2"#, #"line 1: the field "whole" is 2 instead of a number "#),
      (2, #""source":3"#, #""source":0"#, #"line 2: the field "source" is 0 instead of a numb"#),
      (1, #""source":1}"#, #""source":2}"#, #"line 1: the field "sources" has source 2 twice"#),
      (2, #""source":3"#, #""source":2"#, "line 2: source 2 is connected twice"),
      (2, #""source":3"#, #""source":3,"whole":3"#, #"line 2: the field "whole" is 3 instead of "#),
    ]
  )
  func sourceNumbers(_ line: Int, _ text: String, _ replacement: String, _ reason: String) throws {
    var lines = Self.lines
    #expect(lines[line - 1].contains(text))
    lines[line - 1].replace(text, with: replacement)
    let file = try read(lines)
    expectNoDifference(file.damage.first?.description.hasPrefix(reason), true, "\(file.damage)")
    expectNoDifference(file.recordings.map(\.records.count), [line == 1 ? 12 : 11])
    expectNoDifference(file.damage.count, line == 1 ? 2 : 1)
  }

  @Test("A change of a single byte is noticed, or changes a value, or nothing; no line is lost")
  func changedBytes() throws {
    let original = Array(sampleLines.utf8)
    for place in original.indices {
      var bytes = original
      bytes[place] ^= 1 << UInt8(place % 8)
      expectNoDifference(FlightFile.readingFault(in: bytes), nil, "\(place)")
      guard let file = try? FlightFile(parsing: bytes), file.damage.isEmpty else { continue }
      expectNoDifference(file.recordings.map(\.records.count), [12], "\(place)")
    }
  }

  @Test("A file that is cut off at any byte has the records before it, or is an error")
  func cutOffAnywhere() throws {
    let bytes = Array(sampleLines.utf8)
    for count in 0..<bytes.count {
      let prefix = Array(bytes.prefix(count))
      guard count >= Self.lines[0].utf8.count else {
        #expect(throws: FlightFileError.self) { try FlightFile(parsing: prefix) }
        continue
      }
      let file = try FlightFile(parsing: prefix)
      let lines = prefix.split(separator: UInt8(ascii: "\n"))
      // White space at the end of a line does not count.
      let last = lines[lines.count - 1].reversed().drop { $0 == UInt8(ascii: " ") }.count
      let isCutOff = last < Self.lines[lines.count - 1].utf8.count
      expectNoDifference(
        file.damage.map(\.description),
        isCutOff ? ["line \(lines.count): it is cut off after \(last) bytes"] : []
      )
      let records = FlightRecording.sample.records.prefix(lines.count - (isCutOff ? 2 : 1))
      expectNoDifference(file.recordings.map(\.records), [Array(records)])
    }
  }

  @Test("Sources that are parts of each other are removed at a disconnection, without a hang")
  func cycleOfSources() {
    func source(_ id: Int, partOf whole: Int?) -> FlightSource {
      FlightSource(id: id, name: "a", whole: whole)
    }
    var start = FlightRecording.sample.start
    start.sources = [
      source(1, partOf: 9), source(2, partOf: 1), source(1, partOf: 2), source(3, partOf: nil),
    ]
    start.advance(past: FlightRecord(.disconnected(source: 9), at: start.instant))
    expectNoDifference(start.sources.map(\.id), [3])
  }

  @Test("Unknown fields are ignored")
  func unknownFields() throws {
    let lines = Self.lines.map { #"{"future":{"a":[1,{"b":null}]},"# + $0.dropFirst() }
    #expect(try read(lines) == FlightFile(.sample))
  }

  @Test("A line of 100 MB is skipped in seconds, and reported in a few words")
  func longLine() throws {
    let long = [UInt8](repeating: UInt8(ascii: "{"), count: 100_000_000)
    let bytes = Array("\(Self.lines[0])\n".utf8) + long + Array("\n\(Self.lines[1])\n".utf8)
    let file = try FlightFile(parsing: bytes)
    expectNoDifference(file.recordings.map(\.records.count), [1])
    expectNoDifference(
      file.damage.map(\.description),
      ["line 2: it is cut off after 100000000 bytes"]
    )
  }

  @Test("Invalid UTF-8 is damage, also inside a text")
  func invalidText() throws {
    var bytes = Array(sampleLines.utf8)
    let note = Array("payment".utf8)
    let index = try #require(bytes.indices.first { bytes[$0...].starts(with: note) })
    bytes[index] = 0xFF
    let file = try FlightFile(parsing: bytes)
    expectNoDifference(file.recordings[0].records.count, 11)
    expectNoDifference(
      file.damage.first?.description.hasPrefix("line 10: it is not text in UTF-8: "),
      true
    )
  }

  @Test("Lines that are missing, repeated or moved are reported")
  func numbers() throws {
    let lines = Self.lines
    let missing = try read(Array(lines[..<4] + lines[7...]))
    expectNoDifference(
      missing.damage.map(\.description),
      ["line 5: record 11 was found where record 8 was expected"]
    )
    expectNoDifference(missing.recordings[0].records.count, 9)
    let repeated = try read(Array(lines[..<4] + lines[3...]))
    expectNoDifference(repeated.damage.map(\.description), ["line 5: record 7 is there twice"])
    expectNoDifference(repeated.recordings, [.sample])
    let wrongStart = lines[0].replacing(#""dropped":5"#, with: #""dropped":6"#)
    expectNoDifference(
      try read([wrongStart] + lines[1...]).damage.map(\.description),
      ["line 2: record 5 was found where record 6 was expected"]
    )
    var moved = lines
    moved.swapAt(4, 8)
    #expect(try read(moved).damage.map(\.line) == [5, 6, 9, 10])
    #expect(try read(moved).recordings[0].records.count == 12)
  }

  @Test("Records without the line that introduces them are kept, and reported")
  func noHead() throws {
    let damaged = try read(["garbage"] + Self.lines.dropFirst())
    let missing = try read(Array(Self.lines.dropFirst()))
    for file in [damaged, missing] {
      let recording = try #require(file.recordings.first)
      expectNoDifference(recording.records, FlightRecording.sample.records)
      let process = FlightRecording.Process(name: "", id: 0, run: "1f8xk2v0q7d3m")
      #expect(recording.process == process && recording.start.dropped == 5)
    }
    expectNoDifference(
      damaged.damage.map(\.description),
      [
        #"line 1: it is not a JSON object: "garbage""#,
        """
        line 2: the line that introduces the run of this record is damaged
        """,
      ]
    )
    expectNoDifference(missing.damage.map(\.line), [1])
  }

  @Test(
    "The records of a run whose introduction is damaged are not taken for those of the run before"
  )
  func damagedSecondHead() throws {
    // By their numbers, as they name no run.
    let lines = Self.lines.map { $0.replacing(#""run":"1f8xk2v0q7d3m","#, with: "") }
    for head in ["garbage", #"{"format":"lifecycle-recor"#] {
      let file = try read(lines + [head] + lines.dropFirst())
      expectNoDifference(file.recordings.map(\.records.count), [12, 12])
      expectNoDifference(file.recordings[1].process, .init(name: "", id: 0))
      expectNoDifference(file.damage.map(\.line), [14, 15])
    }
  }

  @Test(
    "The records of another run are a recording also without its head, whatever their numbers are",
    arguments: [5, 16, 17, 30]
  )
  func runWithoutHead(number: Int) throws {
    var other = FlightRecording.sample
    other.process = .init(name: "", id: 0, run: "2")
    other.start = .init(at: other.records[0].instant, dropped: number)
    let lines = String(decoding: other.recordLines, as: UTF8.self).split(separator: "\n")
      .map(String.init)
    let ofAnother = "record \(number) is of another run, whose introduction is"
    for (head, reason) in [
      ([], "\(ofAnother) missing"), (["garbage"], "\(ofAnother) damaged"),
      ([#"{"format":"life"#], "the line that introduces the run of this record is damaged"),
    ] {
      let file = try read(Self.lines + head + lines)
      expectNoDifference(file.recordings, [.sample, other])
      expectNoDifference(file.damage.map(\.line), Array(14...14 + head.count))
      expectNoDifference(file.damage.last?.reason, reason)
    }
    let alternating = try read(zip(Self.lines.dropFirst(), lines).flatMap { [$0, $1] })
    expectNoDifference(
      alternating.recordings.map(\.process.run),
      (0..<12).flatMap { _ in ["1f8xk2v0q7d3m", "2"] }
    )
    expectNoDifference(
      alternating.recordings.flatMap(\.records),
      other.records.flatMap { [$0, $0] }
    )
    expectNoDifference(alternating.damage.map(\.line), Array(1...24))
  }

  @Test("A record that is moved behind a damaged line stays in the recording of its run")
  func movedRecord() throws {
    let file = try read(Self.lines[..<8] + ["garbage"] + Self.lines[3...4] + Self.lines[8...])
    expectNoDifference(file.recordings.map(\.records.count), [14])
    expectNoDifference(file.damage.map(\.line), [9, 10, 12])
  }

  @Test("A run in a later version is skipped and reported, and the others are read")
  func laterRun() throws {
    let later = Self.lines.map { $0.replacing(#""version":1"#, with: #""version":3"#) }
    let file = try read(Self.lines + later + Self.lines)
    expectNoDifference(file.recordings, [.sample, .sample])
    expectNoDifference(file.damage.map(\.line), Array(14...26))
    expectNoDifference(
      file.damage.first?.reason,
      """
      the run has version 3 of the format, and this program reads version 1: read it with a later \
      version of swift-reactive-lifecycle
      """
    )
  }
}
