import LifecycleSupport
import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Writes what a recorder records to a series of files.
///
/// The lock of the state is held while a file is written, so that lines follow each other. The lock
/// of the recorder is taken inside it, never the other way round: the recorder only wakes the
/// queue, by a `WriterWaker`.
final class FlightRecordingWriter: Sendable {
  private struct State: ~Copyable {
    var machine: FlightWriterMachine
    /// The file; nil if it must be opened, and once nothing more is written.
    var file: SystemFile?
    var isEnded = false
    /// The instant of the last failure; nil if something was written after it.
    var failure: ContinuousClock.Instant?
  }

  /// The outcome of one step.
  private enum Progress {
    case wrote, nothingToDo
    /// It failed, for the first time since something was written or not.
    case failed(SystemError, isFirst: Bool)
  }

  private let recorder: FlightRecorder
  private let series: FileSeries
  private let coder = FlightLineCoder()
  private let retryInterval: Duration
  private let onFailure: @Sendable (FlightFileError) -> Void
  private let state: Locked<State>
  private let row: ListenerRow
  private let process = getpid()

  /// Opens the file, and writes what the recorder has recorded so far.
  ///
  /// - Parameters:
  ///   - replacesContent: Whether to remove what the file contains first.
  ///   - retryInterval: The time to wait after a failure before something is written again.
  init(
    _ recorder: FlightRecorder,
    _ series: FileSeries,
    limit: Int,
    replacing replacesContent: Bool,
    retryInterval: Duration,
    _ onFailure: @escaping @Sendable (FlightFileError) -> Void
  ) throws(SystemError) {
    self.recorder = recorder
    self.series = series
    self.retryInterval = retryInterval
    self.onFailure = onFailure
    let (process, start) = recorder.head
    var machine = FlightWriterMachine(process, start: start, limit: limit)
    let file = try Self.open(series, replacing: replacesContent, &machine)
    state = Locked(State(machine: machine, file: file))
    row = ListenerRow(ownedOn: recorder.core, kinds: .willTerminate, site: nil, joins: false)
    let step = step(until: recorder.next, evenAfterFailure: true)
    if case .failed(let error, _) = step { throw error }
    row.setOwner(self)
    recorder.core.listen(row)
    let waker = WriterWaker(self)
    recorder.setWake({ waker.wake() }, of: ObjectIdentifier(self))
    // What was recorded since the step, or was too much for it, has woken nobody.
    if !hasWritten(until: recorder.next) { waker.wake() }
  }

  deinit {
    row.cancel()
  }

  /// Writes everything that was recorded before this call.
  func flush() {
    write(evenAfterFailure: true)
  }

  /// Writes everything that was recorded before this call, and closes the file.
  func end() {
    row.cancel()
    recorder.setWake(nil, of: ObjectIdentifier(self))
    // What can't be written now never is.
    write(evenAfterFailure: true, reportsAgain: true)
    state.discard { state in
      state.isEnded = true
      return state.file.take()
    }
  }

  /// Writes what was recorded, unless the last attempt has just failed.
  func write() {
    write(evenAfterFailure: false)
  }

  /// Writes what is recorded by now. What others record meanwhile wakes the queue.
  private func write(evenAfterFailure: Bool, reportsAgain: Bool = false) {
    // A child by fork(2) has a copy of the writer.
    guard process == getpid() else { return }
    let end = recorder.next
    while true {
      switch step(until: end, evenAfterFailure: evenAfterFailure) {
      case .wrote: continue
      case .nothingToDo: return
      case .failed(let error, let isFirst):
        if isFirst || reportsAgain {
          onFailure(FlightFileError(.unwritable(errno: error.errno), series.path))
        }
        return
      }
    }
  }

  private func hasWritten(until end: Int) -> Bool {
    state.withLock { $0.machine.hasWritten(until: end) }
  }

  /// Performs one step, unless the records before the one with that number are written.
  private func step(until end: Int, evenAfterFailure: Bool) -> Progress {
    let (progress, unwanted) = state.withLock { state -> (Progress, SystemFile?) in
      guard !state.isEnded, !state.machine.hasWritten(until: end) else {
        return (.nothingToDo, nil)
      }
      if let failure = state.failure, !evenAfterFailure, failure.duration(to: .now) < retryInterval
      {
        return (.nothingToDo, nil)
      }
      do throws(SystemError) {
        if state.file == nil { state.file = try Self.open(series, &state.machine) }
        guard let file = state.file else { return (.nothingToDo, nil) }
        if !state.machine.isWaiting { fetch(&state.machine) }
        switch state.machine.step(coder) {
        case nil: return (.nothingToDo, nil)
        case .append(let bytes, let records):
          try Self.append(bytes, to: file, &state.machine)
          state.machine.didAppend(bytes.count, records: records)
          state.failure = nil
          return (.wrote, nil)
        case .rotate:
          try series.rotate()
          return (.wrote, state.file.take())
        }
      } catch {
        defer { state.failure = .now }
        return (.failed(error, isFirst: state.failure == nil), nil)
      }
    }
    // Closing the last reference to a file of some size takes time.
    withExtendedLifetime(unwanted) {}
    return progress
  }

  /// Adds what was recorded since the last call.
  private func fetch(_ machine: inout FlightWriterMachine) {
    let (records, start) = recorder.records(from: machine.next)
    if let start { machine.continueAfterGap(from: start) }
    machine.add(records)
  }

  private static func open(
    _ series: FileSeries,
    replacing replacesContent: Bool = false,
    _ machine: inout FlightWriterMachine
  ) throws(SystemError) -> SystemFile {
    let file = try series.open()
    // The file is locked, so no other recorder writes it.
    if replacesContent { try file.setSize(0) }
    let size = try file.size
    let last = size > 0 ? try file.byte(at: size - 1) : nil
    machine.didOpen(size: size, endsWithinLine: last != nil && last != UInt8(ascii: "\n"))
    return file
  }

  /// Appends all of the bytes or, if possible, none.
  private static func append(
    _ bytes: [UInt8],
    to file: SystemFile,
    _ machine: inout FlightWriterMachine
  ) throws(SystemError) {
    let size = try file.size
    do throws(SystemError) {
      try file.append(bytes)
    } catch {
      if (try? file.setSize(size)) == nil { machine.didSpoil(size: (try? file.size) ?? size) }
      throw error
    }
  }
}

// The end of the bus: what it was is written before the process can end.
extension FlightRecordingWriter: BusListener {
  func join(at delivered: DeliveredState) {}

  func hear(_ event: LifecycleEvent) { flush() }

  func busDidEnd() { flush() }
}
