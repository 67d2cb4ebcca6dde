import LifecycleFlightRecording
import ReactiveLifecycle
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

  @Test("The next part, also after a gap, and also after the end of the bus")
  func continues() {
    var (previous, next) = (Self.previous, Self.next)
    #expect(next.continues(previous))
    next.start.dropped = 9
    #expect(next.continues(previous))
    previous.records[1].content = .ended
    next.start.dropped = 4
    #expect(next.continues(previous))
  }

  @Test("Not another process, what was recorded before, nor what follows the end of another bus")
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
}
