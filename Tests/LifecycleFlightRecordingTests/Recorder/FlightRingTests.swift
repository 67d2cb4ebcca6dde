import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

@Suite("The ring of a recorder")
struct FlightRingTests {
  private func note(_ number: Int) -> FlightRecord { FlightRecord(busNote(number)) }

  private func busNote(_ number: Int) -> BusRecord {
    BusRecord(.note("\(number)"), at: LifecycleInstant(everyClock: .seconds(number)))
  }

  private let start = FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))

  @Test("It keeps the latest records, by their numbers", arguments: 1...5)
  func latestRecords(_ capacity: Int) {
    var ring = FlightRing(capacity: capacity, start: start)
    for count in 0...12 {
      if count > 0 { ring.append(busNote(count - 1)) }
      let first = max(count - capacity, 0)
      expectNoDifference(ring.first, first)
      expectNoDifference(ring.next, count)
      expectNoDifference(ring.start.dropped, first)
      expectNoDifference(
        ring.start.instant,
        LifecycleInstant(everyClock: .seconds(max(first - 1, 0)))
      )
      for lower in 0...14 {
        for upper in lower...14 {
          let kept = (first..<count).clamped(to: lower..<max(upper, lower))
          expectNoDifference(
            ring.records(in: lower..<upper).map(FlightRecord.init),
            (lower..<upper).clamped(to: first..<count).map(note),
            "\(kept)"
          )
        }
      }
    }
  }

  @Test("A capacity that is not positive keeps one record", arguments: [0, -1, Int.min])
  func smallCapacity(_ capacity: Int) {
    var ring = FlightRing(capacity: capacity, start: start)
    ring.append(busNote(0))
    ring.append(busNote(1))
    expectNoDifference(ring.records(in: 0..<2).map(FlightRecord.init), [note(1)])
  }

  @Test("A record takes the space that the documentation names")
  func size() {
    #expect(MemoryLayout<BusRecord>.stride == 144)
  }

  // MARK: The recorder around it

  @Test("A recorder returns what it has from a number on, and how much was missed")
  func recordsFromNumber() {
    let tap = FlightTap(capacity: 4, start: start)
    for number in 0..<6 { tap.note(busNote(number)) }
    for number in 0...8 {
      let (records, next, missed) = tap.records(from: number)
      expectNoDifference(records, (min(max(number, 2), 6)..<6).map(note))
      expectNoDifference(next, 6)
      expectNoDifference(missed, max(2 - number, 0))
    }
    let (head, records) = tap.contents
    expectNoDifference(head.dropped, 2)
    expectNoDifference(records, (2..<6).map(note))
  }

  @Test("More records than are copied at a time come back whole")
  func batches() {
    let tap = FlightTap(capacity: 3_000, start: start)
    for number in 0..<3_500 { tap.note(busNote(number)) }
    expectNoDifference(tap.contents.records, (500..<3_500).map(note))
    expectNoDifference(tap.records(from: 1_000).records, (1_000..<3_500).map(note))
  }

  @Test("A writer is woken after each record, until it no longer wants to be")
  func wake() {
    let tap = FlightTap(capacity: 4, start: start)
    let trace = Trace()
    tap.setWake { [weak tap] in trace("\(tap?.records(from: 0).next ?? -1)") }
    tap.note(busNote(0))
    tap.note(busNote(1))
    tap.setWake(nil)
    tap.note(busNote(2))
    tap.stop()
    tap.note(busNote(3))
    expectNoDifference(trace.lines, ["1", "2"])
    expectNoDifference(tap.contents.records.count, 3)
  }

  @Test("The closure that wakes a writer is released outside the lock")
  func wakeRelease() {
    let tap = FlightTap(capacity: 4, start: start)
    let trace = Trace()
    do {
      let canary = Canary { [weak tap] in trace("\(tap?.records(from: 0).next ?? -1)") }
      tap.setWake { canary.sing() }
    }
    tap.setWake(nil)
    expectNoDifference(trace.lines, ["0"])
  }
}
