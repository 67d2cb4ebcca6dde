import CustomDump
import LifecycleFlightRecording
import Testing

extension DamageTests {
  @Test("Lines that are missing, repeated or moved are reported")
  func numbers() throws {
    let lines = Self.lines
    let missing = try read(Array(lines[..<4] + lines[7...]))
    expectNoDifference(
      missing.damage.map(\.description),
      ["line 5: record 11 was found where record 8 was expected"]
    )
    expectNoDifference(missing.recordings[0].records.count, 8)
    let repeated = try read(Array(lines[..<4] + lines[3...]))
    expectNoDifference(repeated.damage.map(\.description), ["line 5: record 7 is there twice"])
    expectNoDifference(repeated.recordings, [.sample])
    let both = try read(Array(lines[..<4] + [lines[3]] + lines[5...]))
    expectNoDifference(
      both.damage.map(\.description),
      ["line 5: record 7 is there twice", "line 6: record 9 was found where record 8 was expected"]
    )
    let wrongStart = lines[0].replacing(#""dropped":5"#, with: #""dropped":6"#)
    expectNoDifference(
      try read([wrongStart] + lines[1...]).damage.map(\.description),
      ["line 2: record 5 was found where record 6 was expected"]
    )
    var moved = lines
    moved.swapAt(4, 8)
    #expect(try read(moved).damage.map(\.line) == [5, 6, 9, 10])
    #expect(try read(moved).recordings[0].records.count == 11)
  }

  @Test("Records without the line that introduces them are kept, and reported")
  func noHead() throws {
    let damaged = try read(["garbage"] + Self.lines.dropFirst())
    let missing = try read(Array(Self.lines.dropFirst()))
    for file in [damaged, missing] {
      let recording = try #require(file.recordings.first)
      expectNoDifference(recording.records, FlightRecording.sample.records)
      #expect(recording.process == .init(name: "", id: 0) && recording.start.dropped == 5)
    }
    expectNoDifference(
      damaged.damage.map(\.description),
      [
        #"line 1: it is not a JSON object: "garbage""#,
        """
        line 2: the run of this record is unknown: the line that introduces it is damaged
        """,
      ]
    )
    expectNoDifference(missing.damage.map(\.line), [1])
  }

  @Test(
    "The records of a run whose introduction is damaged are not taken for those of the run before"
  )
  func damagedSecondHead() throws {
    for head in ["garbage", #"{"format":"lifecycle-recor"#] {
      let file = try read(Self.lines + [head] + Self.lines.dropFirst())
      expectNoDifference(file.recordings.map(\.records.count), [11, 11])
      expectNoDifference(file.recordings[1].process, .init(name: "", id: 0))
      expectNoDifference(file.damage.map(\.line), [13, 14])
    }
  }

  @Test("A run in a later version is skipped and reported, and the others are read")
  func laterRun() throws {
    let later = Self.lines.map { $0.replacing(#""version":1"#, with: #""version":3"#) }
    let file = try read(Self.lines + later + Self.lines)
    expectNoDifference(file.recordings, [.sample, .sample])
    expectNoDifference(file.damage.map(\.line), Array(13...24))
    expectNoDifference(
      file.damage.first?.reason,
      """
      the run has version 3 of the format, and this program reads version 1: read it with a later \
      version of swift-reactive-lifecycle
      """
    )
  }
}
