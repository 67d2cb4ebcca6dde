import LifecycleSupport
import ReactiveLifecycle

/// The place of a recorder on its bus, which stores what the bus accepts.
///
/// The lock of the bus is held while the bus appends, so the lock below is a leaf: nothing is called
/// under it, and no object of the program is released under it. A record that is dropped contains
/// texts, nothing else.
final class FlightTap: BusTap {
  private struct State {
    var ring: FlightRing
    var isStopped = false
    var wakes: [(owner: ObjectIdentifier, wake: @Sendable () -> Void)] = []
  }

  /// The number of records that are copied at a time, so that the bus never waits for long.
  private static let batch = 512

  private let state: Locked<State>

  init(capacity: Int, start: FlightRecording.Start) {
    state = Locked(State(ring: FlightRing(capacity: capacity, start: start)))
  }

  // MARK: The bus

  func begin(at instant: LifecycleInstant, with bus: BusState) {
    state.withLock { state in state.ring.begin(FlightRecording.Start(bus, at: instant)) }
  }

  func note(_ record: BusRecord) {
    let wakes: [(owner: ObjectIdentifier, wake: @Sendable () -> Void)] = state.withLock { state in
      guard !state.isStopped else { return [] }
      state.ring.append(record)
      return state.wakes
    }
    for (_, wake) in wakes { wake() }
  }

  // MARK: The recorder

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  func setWake(
    _ wake: (@Sendable () -> Void)?,
    of owner: ObjectIdentifier = ObjectIdentifier(FlightTap.self)
  ) {
    state.discard { state in
      let old = state.wakes
      state.wakes.removeAll { $0.owner == owner }
      if let wake { state.wakes.append((owner, wake)) }
      return old
    }
  }

  /// The state before the first record that is kept.
  var start: FlightRecording.Start { state.withLock { $0.ring.start } }

  /// The number of the record that comes next.
  var next: Int { state.withLock { $0.ring.next } }

  /// The oldest records that are kept, as many as are copied at a time, and the state before them.
  var oldest: (start: FlightRecording.Start, records: [FlightRecord]) {
    let (start, batch) = state.withLock { state in
      let first = state.ring.first
      return (state.ring.start, Array(state.ring.records(in: first..<first + Self.batch)))
    }
    return (start, batch.map(FlightRecord.init))
  }

  /// The records that are kept, and the state before them.
  var contents: (start: FlightRecording.Start, records: [FlightRecord]) {
    while true {
      let (start, end) = state.withLock { ($0.ring.start, $0.ring.next) }
      let (records, next, missed) = records(in: start.dropped..<end)
      // Otherwise some were dropped while the others were copied.
      if missed == 0, next == end { return (start, records) }
    }
  }

  /// Returns the records from a number on, up to the latest one.
  func records(from number: Int) -> (records: [FlightRecord], next: Int, missed: Int) {
    let end = state.withLock { $0.ring.next }
    return records(in: min(number, end)..<end)
  }

  /// Returns the records with these numbers: as many as are kept, up to the first gap.
  private func records(
    in numbers: Range<Int>
  ) -> (records: [FlightRecord], next: Int, missed: Int) {
    let first = state.withLock { $0.ring.first }
    var next = max(numbers.lowerBound, min(first, numbers.upperBound))
    let missed = next - numbers.lowerBound
    var records: [FlightRecord] = []
    records.reserveCapacity(numbers.upperBound - next)
    while next < numbers.upperBound {
      let range = next..<min(next + Self.batch, numbers.upperBound)
      let batch = state.withLock { state in
        state.ring.first > range.lowerBound ? [] : Array(state.ring.records(in: range))
      }
      if batch.isEmpty { break }
      records += batch.lazy.map(FlightRecord.init)
      next = range.upperBound
    }
    return (records, next, missed)
  }
}
