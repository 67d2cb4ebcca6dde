import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@Suite("Recordings that continue another one")
struct ContinuationTests {
  private static let instant = LifecycleInstant(
    continuous: .boot + .seconds(100),
    timeAwake: .seconds(100),
    timeSince1970: .seconds(1_768_469_200)
  )
  private static let previous = FlightRecording(
    process: .init(name: "rental", id: 7, bootID: "boot"),
    start: .init(at: instant, dropped: 2),
    records: ["first", "second"].map { FlightRecord(.note($0), at: instant) }
  )
  /// The next part, of the next file.
  private static let next = FlightRecording(
    process: previous.process,
    start: .init(at: instant, dropped: 4),
    records: [FlightRecord(.note("third"), at: instant)]
  )

  @Test("A part after a gap continues the recording, even if it starts at an earlier instant")
  func earlierInstant() {
    var (previous, next) = (Self.previous, Self.next)
    previous.records[1].instant = Self.instant.advanced(by: .seconds(9))
    next.start.instant = Self.instant.advanced(by: .seconds(5))
    next.start.dropped = 5
    #expect(next.continues(previous))
  }

  @Test("Another process, an earlier part, or what follows the end of a bus continues nothing")
  func doesNotContinue() {
    let changes: [(inout FlightRecording, inout FlightRecording) -> Void] = [
      { _, next in next.process.id = 8 },
      { _, next in next.process.name = "other" },
      { _, next in next.process.bootID = "other boot" },
      { previous, next in (previous.process.id, next.process.id) = (0, 0) },
      { _, next in next.start.dropped = 0 },
      { _, next in next.start.dropped = 3 },
      { _, next in next.start.dropped = -1 },
      { previous, _ in previous.start.dropped = .max },
      { _, next in next.start.instant = Self.instant.advanced(by: .seconds(-1)) },
      { previous, next in
        previous.records[1].content = .ended
        next.start.dropped = 5
      },
    ]
    for (index, change) in changes.enumerated() {
      var (previous, next) = (Self.previous, Self.next)
      change(&previous, &next)
      #expect(!next.continues(previous), "\(index)")
    }
  }

  @Test("The parts of a run belong together, also after dropped records")
  func runs() {
    var later = Self.next
    later.start.dropped = 7
    let other = FlightRecording(process: .init(name: "other", id: 8), start: Self.next.start)
    let parts = [Self.previous, Self.next, later, other]
    expectNoDifference(parts.runs.map(Array.init), [[Self.previous, Self.next, later], [other]])
    expectNoDifference([FlightRecording]().runs.count, 0)
  }

  @Test("A run that was cut into parts lacks no record, also with a damaged line")
  func cutRandomly() throws {
    for seed in seeds(50) {
      var random = RandomRecording(seed: seed)
      var whole = random.next(recordCount: 12)
      (whole.process.id, whole.start.dropped) = (7, 5)
      whole.records = whole.records.map { FlightRecord($0.content, at: whole.start.instant) }
      // A source is connected once.
      whole.records.removeAll { record in
        if case .connected = record.content { true } else { false }
      }
      for cut in 1..<whole.records.count {
        var (first, second) = (whole, whole)
        first.records = Array(whole.records[..<cut])
        second.records = Array(whole.records[cut...])
        second.start.dropped += cut
        expectNoDifference(second.droppedRecords(after: first), 0, "\(seed), \(cut)")
        var lines = first.jsonLines.split(separator: UInt8(ascii: "\n"))
        lines[1 + Int(seed) % cut] = [UInt8(ascii: "{")]
        let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        let file = try FlightFile(parsing: bytes + [UInt8(ascii: "\n")] + second.jsonLines)
        let dropped = zip(file.recordings, file.recordings.dropFirst())
          .map { previous, next in next.droppedRecords(after: previous) }
        expectNoDifference(dropped, [0], "\(seed), \(cut)")
      }
    }
  }
}
