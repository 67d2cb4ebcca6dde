import DequeModule
import ReactiveLifecycle

/// The latest records, and the state of the bus before them.
///
/// Records are numbered from 0 in order of occurrence. Once the ring exists, nothing is allocated
/// for an input or an event. The details of rarer records are on the heap.
struct FlightRing: Sendable {
  private(set) var start: FlightRecording.Start
  private var records: Deque<BusRecord>
  private let capacity: Int

  /// - Parameter start: The state before the first record.
  init(capacity: Int, start: FlightRecording.Start) {
    self.capacity = max(capacity, 1)
    self.start = start
    records = Deque(minimumCapacity: self.capacity)
  }

  /// The number of the first record that is kept.
  var first: Int { start.dropped }

  /// The number of the record that comes next.
  var next: Int { first + records.count }

  /// Begins anew from a state, before there is any record.
  mutating func begin(_ start: FlightRecording.Start) {
    self.start = start
  }

  /// Adds a record, in place of the oldest one if the ring is full.
  mutating func append(_ record: BusRecord) {
    if records.count == capacity {
      start.advance(past: records.removeFirst())
      start.dropped += 1
    }
    records.append(record)
  }

  /// Returns the records from a number on, as many as are copied at a time, so that the bus never
  /// waits for long.
  func batch(from number: Int) -> [BusRecord] {
    Array(records(in: number..<number + 512))
  }

  /// Returns the records with these numbers that are kept.
  func records(in numbers: Range<Int>) -> Slice<Deque<BusRecord>> {
    let kept = numbers.clamped(to: first..<next)
    return records[kept.lowerBound - first..<kept.upperBound - first]
  }
}

extension FlightRecording.Start {
  /// Moves the start past a record, in the form in which the ring keeps it.
  fileprivate mutating func advance(past record: BusRecord) {
    instant = record.instant
    switch record.content {
    case .event(let event): phase = event.phase
    case .input(let kind, _, _) where !kind.isTransition: break
    case .observerRemoved, .ended: break
    case .input, .disconnected, .detailed: advance(past: FlightRecord(record))
    }
  }
}
