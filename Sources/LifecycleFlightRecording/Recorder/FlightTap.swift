import LifecycleSupport
import ReactiveLifecycle

/// The place of a recorder on its bus, which stores what the bus accepts.
///
/// The lock of the bus is held while the bus appends, so the lock below is a leaf: nothing is
/// called under it, and no object of the program is released under it. A record that is dropped
/// contains texts, nothing else.
final class FlightTap: BusTap {
  private struct State {
    var ring: FlightRing
    var isStopped = false
    var wakes: [(owner: ObjectIdentifier, wake: @Sendable () -> Void)] = []

    /// The state before the first record that is kept, for a reader without the lock.
    var start: FlightRecording.Start {
      var start = ring.start
      start.sources = start.sources.unsharedForSanitizer
      return start
    }
  }

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

  func setWake(_ wake: (@Sendable () -> Void)?, of owner: ObjectIdentifier) {
    state.discard { state in
      let old = state.wakes
      state.wakes.removeAll { $0.owner == owner }
      if let wake { state.wakes.append((owner, wake)) }
      return old
    }
  }

  /// The state before the first record that is kept.
  var start: FlightRecording.Start { state.withLock { $0.start } }

  /// The number of the record that comes next.
  var next: Int { state.withLock { $0.ring.next } }

  /// The records that are kept, and the state before them.
  var contents: (start: FlightRecording.Start, records: [FlightRecord]) {
    let (start, end) = state.withLock { ($0.start, $0.ring.next) }
    var contents: (start: FlightRecording.Start, records: [FlightRecord]) = (start, [])
    // The record before the start is not kept, so that the state comes with the records.
    var number = start.dropped - 1
    repeat {
      let (records, start) = records(from: number)
      if let start { contents = (start, records) } else { contents.records += records }
      number = contents.start.dropped + contents.records.count
      // If others record faster than this copies, what follows the gap is returned.
    } while number < end
    return contents
  }

  /// Returns the records from a number on: up to the latest one, or up to those that were dropped
  /// while the others were copied.
  ///
  /// - Parameter number: The number of the first record wanted.
  /// - Returns: The records. If the first one wanted was dropped, they begin with the oldest one
  ///   that is kept, and `start` is the state before it; otherwise `start` is nil.
  func records(
    from number: Int
  ) -> (records: [FlightRecord], start: FlightRecording.Start?) {
    let (start, batch, end) = state.withLock { state in
      let start = number < state.ring.first ? state.start : nil
      return (start, state.ring.batch(from: start?.dropped ?? number), state.ring.next)
    }
    var records = batch.map(FlightRecord.init)
    var next = (start?.dropped ?? number) + batch.count
    if next < end { records.reserveCapacity(records.count + end - next) }
    while next < end {
      let batch = state.withLock { $0.ring.first > next ? [] : $0.ring.batch(from: next) }
      if batch.isEmpty { break }
      records += batch.lazy.map(FlightRecord.init)
      next += batch.count
    }
    return (records, start)
  }
}
