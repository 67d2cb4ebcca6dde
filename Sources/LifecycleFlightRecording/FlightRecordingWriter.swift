import Dispatch
public import LifecycleCore
import LifecycleSupport

extension FlightRecorder {
  /// Writes the recording to a file: what is kept now, and from then on every record soon after it
  /// is made.
  ///
  /// ```swift
  /// let recorder = FlightRecorder(of: bus)
  /// try recorder.write(to: path).store(in: scope)
  /// ```
  ///
  /// The recording is appended to an existing file, and begins on a new line. A process that is
  /// killed at any moment leaves complete lines; only the last one may be cut off, and the records
  /// of the last moments are lost. <doc:RecordingFormat> describes the lines, and where the
  /// recording continues after records that were dropped before they could be written.
  ///
  /// A file that would exceed `bytes` is renamed to `PATH.1`, `PATH.1` to `PATH.2`, and so on, and
  /// a new one begins. Each file can be read without the others. A symbolic link stays, and the
  /// files that are renamed are beside its target.
  ///
  /// Everything that was recorded is written when the returned object is cancelled or released,
  /// for example by its scope, and at the end of the bus. The calls wait for that. An exit of the
  /// process, by `exit` or a return from `main`, is written as the `ended` of the recording, with
  /// the instant of the cancellation if there was one. The object keeps the recorder alive.
  ///
  /// If a write fails, `onFailure` is called once, the recorder continues to record, and a later
  /// record, at the earliest after a second, causes another attempt. `onFailure` is called again if
  /// what was recorded can't be written at the end. If another program changes the file, the next
  /// record begins a new one, or a new part of it, and `onFailure` receives
  /// ``FlightFileError/Problem/changedByAnotherProgram``.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its directory must exist. If the file is created, only the
  ///     current user can read and write it. Only one recorder can write it at a time.
  ///   - bytes: The size that a file does not exceed, in bytes, unless a single record does.
  ///   - olderFiles: The number of older files to keep.
  ///   - onFailure: The closure runs on the writer's queue, or on the thread that waits for it,
  ///     without a lock. The default reports an issue.
  /// - Returns: An object that writes until it is cancelled or released.
  /// - Throws: A ``FlightFileError`` if the file can't be opened or written.
  public func write(
    to path: String,
    rotatingAt bytes: Int = 10_000_000,
    keeping olderFiles: Int = 3,
    onFailure: @escaping @Sendable (FlightFileError) -> Void = { $0.report() }
  ) throws(FlightFileError) -> LifecycleCancellable {
    let writer = try FlightRecordingWriter(
      self,
      to: path,
      limit: bytes,
      keeping: olderFiles,
      onFailure
    )
    return LifecycleCancellable { writer.end() }
  }

  /// Writes the recording as ``write(to:rotatingAt:keeping:onFailure:)`` does, to one file.
  ///
  /// - Parameter replacesContent: Whether to replace the content of the file. The content is
  ///   removed before the first write, so it is lost if that fails.
  /// - Throws: An error if another recorder writes the file, whose content is then unchanged.
  /// - Returns: An object that writes until it is cancelled or released, and a closure that writes
  ///   everything that was recorded before its call.
  package func writeWithFlush(
    to path: String,
    replacing replacesContent: Bool = false,
    onFailure: @escaping @Sendable (FlightFileError) -> Void
  ) throws(FlightFileError) -> (writing: LifecycleCancellable, flush: @Sendable () -> Void) {
    let writer = try FlightRecordingWriter(
      self,
      to: path,
      replacing: replacesContent,
      onFailure
    )
    return (LifecycleCancellable { writer.end() }, { writer.flush() })
  }
}

/// Writes what a recorder records to a series of files.
///
/// The lock of the state is held while a file is written, so that lines follow each other. The lock
/// of the recorder is taken inside it, never the other way round: the recorder only wakes the
/// queue, by a `WriterWaker`.
final class FlightRecordingWriter: Sendable {
  private struct State: ~Copyable {
    var output: RecordingOutput
    var isEnded = false
    /// The instant of the last failure; nil if something was written after it.
    var failure: ContinuousClock.Instant?
    /// The action at the exit of the process.
    var exitAction: Int?
  }

  /// The outcome of one step.
  private enum Progress {
    case wrote, nothingToDo
    /// Another program has disturbed the file. The next step begins anew.
    case wasDisturbed
    /// It failed, for the first time since something was written or not.
    case failed(FlightFileError, isFirst: Bool)
  }

  private let recorder: FlightRecorder
  private let path: String
  private let retryInterval: Duration
  private let onFailure: @Sendable (FlightFileError) -> Void
  private let state: Locked<State>
  private let row: ListenerRow
  private let process = getpid()

  /// Opens the file, and writes what the recorder has recorded so far.
  ///
  /// - Parameters:
  ///   - limit: The size in bytes that a file does not exceed, unless by a single record.
  ///   - olderFiles: The number of older files to keep.
  ///   - replacesContent: Whether to remove what the file contains first.
  ///   - retryInterval: The time to wait after a failure before a record causes another attempt.
  init(
    _ recorder: FlightRecorder,
    to path: String,
    limit: Int = .max,
    keeping olderFiles: Int = 0,
    replacing replacesContent: Bool = false,
    retryInterval: Duration = .seconds(1),
    _ onFailure: @escaping @Sendable (FlightFileError) -> Void
  ) throws(FlightFileError) {
    self.recorder = recorder
    self.path = path
    self.retryInterval = retryInterval
    self.onFailure = onFailure
    let (process, start) = recorder.head
    var output = RecordingOutput(
      series: FileSeries(path, olderCount: max(olderFiles, 0)),
      machine: FlightWriterMachine(process, start: start, limit: limit)
    )
    do throws(SystemError) {
      try output.open(replacing: replacesContent)
    } catch {
      throw FlightFileError(.unwritable(errno: error.errno), path)
    }
    state = Locked(State(output: output))
    row = ListenerRow(ownedOn: recorder.core, kinds: .willTerminate, site: nil, joins: false)
    let step = step(until: recorder.next, evenAfterFailure: true)
    if case .failed(let error, _) = step { throw error }
    row.setOwner(self)
    recorder.core.listen(row)
    let waker = WriterWaker(self)
    recorder.setWake({ waker.wake() }, of: ObjectIdentifier(self))
    if recorder.isOfThisProcess {
      let exitAction = ProcessExit.add { [weak self] in self?.recordExit() }
      state.withLock { $0.exitAction = exitAction }
    }
    // What was recorded since the step, or was too much for it, has woken no one.
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
    let end = recorder.next
    // What can't be written now never is.
    write(evenAfterFailure: true, reportsAgain: true)
    let (exitAction, output) = state.withLock { state in
      state.isEnded = true
      let output = state.output
      state.output.file = nil
      return (state.exitAction.take(), output)
    }
    guard let exitAction, recorder.isOfThisProcess else { return }
    ProcessExit.remove(exitAction)
    guard output.machine.hasWritten(until: end) else { return }
    UnfinishedRecordings.add(output, endingAt: recorder.core.clock.now)
  }

  /// Records that the process has ended, and writes everything that was recorded.
  private func recordExit() {
    recorder.recordExit()
    // What has been reported is not reported again: the handler may have called `exit`.
    write(evenAfterFailure: true)
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
      case .wasDisturbed: onFailure(FlightFileError(.changedByAnotherProgram, path))
      case .failed(let error, let isFirst):
        if isFirst || reportsAgain { onFailure(error) }
        return
      }
    }
  }

  private func hasWritten(until end: Int) -> Bool {
    state.withLock { $0.output.machine.hasWritten(until: end) }
  }

  /// Performs one step, unless the records before the one with that number are written.
  private func step(until end: Int, evenAfterFailure: Bool) -> Progress {
    let (progress, unwanted) = state.withLock { state -> (Progress, SystemFile?) in
      guard !state.isEnded, !state.output.machine.hasWritten(until: end) else {
        return (.nothingToDo, nil)
      }
      if let failure = state.failure, !evenAfterFailure, failure.duration(to: .now) < retryInterval
      {
        return (.nothingToDo, nil)
      }
      do throws(SystemError) {
        if state.output.isDisturbed { return (.wasDisturbed, state.output.file.take()) }
        try state.output.open()
        if !state.output.machine.isWaiting { fetch(&state.output.machine) }
        guard let unwanted = try state.output.step() else { return (.nothingToDo, nil) }
        if unwanted == nil { state.failure = nil }
        return (.wrote, unwanted)
      } catch {
        defer { state.failure = .now }
        let failure = FlightFileError(.unwritable(errno: error.errno), path)
        return (.failed(failure, isFirst: state.failure == nil), nil)
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
}

// The end of the bus: what it was is written before the process can end.
extension FlightRecordingWriter: BusListener {
  func join(at delivered: DeliveredState) {}

  func receive(_ event: LifecycleEvent) { flush() }

  func busDidEnd() { flush() }
}

/// Lets a writer write on its queue, when the recorder has something for it.
///
/// Called with the lock of the bus held, where a reference to the writer could become the last one:
/// the writer, and the recorder with it, would be released under that lock, which they need.
final class WriterWaker: Sendable {
  private weak let writer: FlightRecordingWriter?
  private let queue = DispatchQueue(label: "LifecycleFlightRecording.writer", qos: .utility)
  private let isScheduled = Locked(false)

  init(_ writer: FlightRecordingWriter) {
    self.writer = writer
  }

  /// Schedules writing on the queue, unless it is scheduled.
  ///
  /// Takes no lock that is held while a file is written.
  func wake() {
    guard !isScheduled.exchange(true) else { return }
    queue.async { [self] in
      isScheduled.exchange(false)
      writer?.write()
    }
  }
}
