import DequeModule
public import LifecycleCore
import LifecycleSupport

/// A bounded recorder of everything that happens on a bus.
///
/// ```swift
/// recorder = FlightRecorder(of: bus)
/// ```
///
/// It records what sources and the program report and the events that follow, inputs that cause no
/// event and the reasons, sources and observers that come and go, countdowns, background tasks, and
/// fetches. Each record is made when the bus accepts the input, before observers are notified, and
/// has the time on all clocks.
///
/// The recorder keeps the latest records, by default 10,000. Older ones are dropped, and
/// ``FlightRecording/start`` moves forward, so that ``recording`` has everything that happened from
/// its start on. The start has the phase and the connected sources. It has neither observers nor
/// countdowns, tasks, and fetches that are under way: of those that began before it, a recording
/// has what happens to them later, if anything. A recorder can be created at any time. The leaving
/// of observers that were registered before it is not recorded.
///
/// An event and the input that causes it are two records. They are made without allocating memory.
/// A bus can have several recorders. A recorder does not keep its bus alive. It records until it is
/// released.
///
/// ## What is recorded of the observers
///
/// The closures, owners, listeners, and subscribers that the `diagnostics` of the bus list, except
/// subscribers of suppressed inputs.
///
/// Thread-safe.
public final class FlightRecorder: Sendable {
  let core: LifecycleBusCore
  private let process: FlightRecording.Process
  private let tap: FlightTap

  /// Creates a recorder, and starts to record.
  ///
  /// - Parameters:
  ///   - bus: The bus to record.
  ///   - capacity: The number of records to keep, at least 1. Their memory is reserved from the
  ///     start, and the system provides it as it is used: about 200 bytes for a record, and the
  ///     texts that it contains.
  ///   - version: The version of the program, which is in the recording; nil if there is none. By
  ///     default, on Apple platforms, that of the main bundle with its build number; elsewhere,
  ///     none.
  public convenience init(
    of bus: some LifecycleBusProtocol,
    capacity: Int = 10_000,
    version: String? = FlightRecorder.bundleVersion
  ) {
    var process = FlightRecording.Process.current(bootID: bus.core.clock.bootID)
    process.version = version
    process.run = FlightRecording.Process.newRun()
    self.init(of: bus, capacity: capacity, as: process)
  }

  @usableFromInline
  static var bundleVersion: String? { LifecycleSupport.bundleVersion }

  /// Creates a recorder of a bus that follows the life of a process, which may be another one.
  package init(
    of bus: some LifecycleBusProtocol,
    capacity: Int = 10_000,
    as process: FlightRecording.Process
  ) {
    core = bus.core
    self.process = process
    tap = FlightTap(capacity: capacity, start: .init(at: core.clock.now))
    core.addTap(tap)
  }

  deinit {
    cancel()
  }

  /// The records that are kept, as a recording.
  ///
  /// The bus waits no longer than it takes to copy 512 records.
  public var recording: FlightRecording { reading() }

  /// A closure that returns ``recording``, even after the recorder is released. It does not keep
  /// the bus alive.
  package var reading: @Sendable () -> FlightRecording {
    { [process, tap] in
      let (start, records) = tap.contents
      return FlightRecording(process: process, start: start, records: records)
    }
  }

  /// Records a note of the program.
  ///
  /// ```swift
  /// recorder.note("payment accepted")
  /// ```
  ///
  /// - Parameter text: The text, which the recording contains as it is.
  public func note(_ text: String) {
    tap.note(FlightRecord(.note(text), at: core.clock.now))
  }

  /// Stops recording. What was recorded is kept.
  ///
  /// Has no effect if the recorder was cancelled before.
  package func cancel() {
    core.removeTap(tap)
    tap.stop()
  }

  // MARK: For a writer

  /// A Boolean value that indicates whether the recording is that of the process that runs
  /// this code: neither that of another one, nor that of the parent of a child by `fork`.
  var isOfThisProcess: Bool { process.id == getpid() }

  /// Records the end of the process, if the bus has not ended, and stops.
  func recordExit() {
    if core.hasAcceptedTermination { return }
    if !core.hasEnded { tap.note(FlightRecord(.ended, at: core.clock.now)) }
    tap.stop()
  }

  /// The process, and the state before the oldest record that is kept. That record's number is
  /// `start.dropped`.
  package var head: (process: FlightRecording.Process, start: FlightRecording.Start) {
    (process, tap.start)
  }

  /// The number of the record that comes next.
  package var next: Int { tap.next }

  /// Returns the records from a number on: up to the latest one, or up to those that were dropped
  /// while the others were copied.
  ///
  /// - Parameter number: The number of the first record wanted; 0 is the first one ever recorded.
  /// - Returns: The records. If the first one wanted was dropped, they begin with the oldest one
  ///   that is kept, and `start` is the state before it; otherwise `start` is nil.
  package func records(
    from number: Int
  ) -> (records: [FlightRecord], start: FlightRecording.Start?) {
    tap.records(from: number)
  }

  /// Sets a closure that is called after each record, on the thread that appended it, possibly with
  /// the lock of the bus held: it may only wake another thread.
  ///
  /// - Parameters:
  ///   - wake: The closure; nil for none.
  ///   - owner: The object that the closure belongs to. Each has one.
  package func setWake(_ wake: (@Sendable () -> Void)?, of owner: ObjectIdentifier) {
    tap.setWake(wake, of: owner)
  }
}

extension FlightRecording.Process {
  /// The process that runs this code, by the last component of its path.
  package static func current(bootID: BootID?) -> Self {
    let name = lastComponent(of: CommandLine.arguments.first ?? "")
    return Self(name: name, id: getpid(), bootID: bootID)
  }

  /// Returns an identifier for a run that no other run has, on this machine or another one: 13
  /// letters and digits.
  ///
  /// It is random, so that it says nothing about the machine. The boot and the process ID would not
  /// do: containers share the one, and each has a process 1.
  package static func newRun() -> String {
    String((0..<13).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement()! })
  }
}

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

  func begin(
    at instant: LifecycleInstant,
    phase: LifecyclePhase,
    program: LifecyclePhase,
    sources: [FlightSource]
  ) {
    state.withLock { state in
      state.ring.start = .init(at: instant, phase: phase, program: program, sources: sources)
    }
  }

  func note(_ record: FlightRecord) {
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

  /// Returns the records from a number on, as the recorder does.
  func records(from number: Int) -> (records: [FlightRecord], start: FlightRecording.Start?) {
    var (records, start, end) = state.withLock { state in
      let start = number < state.ring.first ? state.start : nil
      return (state.ring.batch(from: start?.dropped ?? number), start, state.ring.next)
    }
    var next = (start?.dropped ?? number) + records.count
    if next < end { records.reserveCapacity(records.count + end - next) }
    while next < end {
      let batch = state.withLock { $0.ring.first > next ? [] : $0.ring.batch(from: next) }
      if batch.isEmpty { break }
      records += batch
      next += batch.count
    }
    return (records, start)
  }
}

/// The latest records, and the state of the bus before them.
///
/// Records are numbered from 0 in order of occurrence. Once the ring exists, nothing is allocated
/// for an input or an event.
struct FlightRing: Sendable {
  /// The state before the first record that is kept.
  fileprivate(set) var start: FlightRecording.Start
  private var records: Deque<FlightRecord>
  private let capacity: Int

  init(capacity: Int, start: FlightRecording.Start) {
    self.capacity = max(capacity, 1)
    self.start = start
    records = Deque(minimumCapacity: self.capacity)
  }

  /// The number of the first record that is kept.
  var first: Int { start.dropped }

  /// The number of the record that comes next.
  var next: Int { first + records.count }

  /// Adds a record, in place of the oldest one if the ring is full.
  mutating func append(_ record: FlightRecord) {
    if records.count == capacity {
      start.advance(past: records.removeFirst())
      start.dropped += 1
    }
    records.append(record)
  }

  /// Returns the records from a number on, as many as are copied at a time, so that the bus never
  /// waits for long.
  func batch(from number: Int) -> [FlightRecord] {
    Array(records(in: number..<number + 512))
  }

  /// Returns the records with these numbers that are kept.
  func records(in numbers: Range<Int>) -> Slice<Deque<FlightRecord>> {
    let kept = numbers.clamped(to: first..<next)
    return records[kept.lowerBound - first..<kept.upperBound - first]
  }
}
