import CustomDump
import Foundation
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleFlightRecording

@Suite("The ring of a recorder")
struct FlightRingTests {
  private func note(_ number: Int) -> FlightRecord {
    FlightRecord(.note("\(number)"), at: LifecycleInstant(everyClock: .seconds(number)))
  }

  private let owner = ObjectIdentifier(Trace.self)
  private let start = FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))

  @Test("A ring keeps the latest records by their numbers, and at least one", arguments: -1...5)
  func latestRecords(_ capacity: Int) {
    var ring = FlightRing(capacity: capacity, start: start)
    let capacity = max(capacity, 1)
    for count in 0...12 {
      if count > 0 { ring.append(note(count - 1)) }
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
          expectNoDifference(
            Array(ring.records(in: lower..<upper)),
            (lower..<upper).clamped(to: first..<count).map(note)
          )
        }
      }
    }
  }

  @Test("Without a capacity, a recorder keeps the latest 10,000 records")
  func defaultCapacity() {
    let recorder = FlightRecorder(of: NonisolatedLifecycleBus(clock: ManualClock()))
    for number in 0..<10_003 { recorder.note("\(number)") }
    let recording = recorder.recording
    expectNoDifference(recording.records.count, 10_000)
    expectNoDifference(recording.records.first?.content, .note("3"))
  }

  #if os(Linux)
    /// More than an allocator keeps of what was released. Other tests may need some at the moment.
    @Test("The memory of records is provided by the system as it is used")
    func memoryIsProvidedAsItIsUsed() throws {
      let capacity = 4_000_000
      let size = capacity * MemoryLayout<FlightRecord>.stride
      let used = try (1...5).map { _ in
        let before = try Self.residentSize()
        let ring = FlightRing(capacity: capacity, start: start)
        return try withExtendedLifetime(ring) { try Self.residentSize() } - before
      }
      #expect(used.min()! < size / 4)
    }

    private static func residentSize() throws -> Int {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = try #require(Int(fields.split(separator: " ")[1]))
      return pages * sysconf(Int32(_SC_PAGESIZE))
    }
  #endif

  // MARK: The recorder around it

  @Test("A recorder returns what it has from a number on; after a gap, with the state before it")
  func recordsFromNumber() {
    let tap = FlightTap(capacity: 4, start: start)
    for number in 0..<6 { tap.note(note(number)) }
    for number in 0...8 {
      let (records, start) = tap.records(from: number)
      expectNoDifference(records, (min(max(number, 2), 6)..<6).map(note))
      expectNoDifference(start?.dropped, number < 2 ? 2 : nil)
      expectNoDifference(
        start?.instant,
        number < 2 ? LifecycleInstant(everyClock: .seconds(1)) : nil
      )
    }
    let (head, records) = tap.contents
    expectNoDifference(head.dropped, 2)
    expectNoDifference(records, (2..<6).map(note))
  }

  @Test("A writer is woken after each record, until it no longer wants to be")
  func wake() {
    let tap = FlightTap(capacity: 4, start: start)
    let trace = Trace()
    tap.setWake({ [weak tap] in trace("\(tap?.next ?? -1)") }, of: owner)
    tap.note(note(0))
    tap.note(note(1))
    tap.setWake(nil, of: owner)
    tap.note(note(2))
    tap.stop()
    tap.note(note(3))
    expectNoDifference(trace.lines, ["1", "2"])
    expectNoDifference(tap.contents.records.count, 3)
  }

  @Test("The closure that wakes a writer is released outside the lock")
  func wakeRelease() {
    let tap = FlightTap(capacity: 4, start: start)
    let trace = Trace()
    do {
      let canary = Canary { [weak tap] in trace("\(tap?.next ?? -1)") }
      tap.setWake({ canary.sing() }, of: owner)
    }
    tap.setWake(nil, of: owner)
    expectNoDifference(trace.lines, ["0"])
  }
}
