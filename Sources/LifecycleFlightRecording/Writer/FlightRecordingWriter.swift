import LifecycleSupport
import ReactiveLifecycle

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
    case failed(SystemError, isFirst: Bool)
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
    path = series.path
    self.retryInterval = retryInterval
    self.onFailure = onFailure
    let (process, start) = recorder.head
    var output = RecordingOutput(
      series,
      FlightWriterMachine(process, start: start, limit: limit)
    )
    try output.open(replacing: replacesContent)
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
        if isFirst || reportsAgain {
          onFailure(FlightFileError(.unwritable(errno: error.errno), path))
        }
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
}

// The end of the bus: what it was is written before the process can end.
extension FlightRecordingWriter: BusListener {
  func join(at delivered: DeliveredState) {}

  func hear(_ event: LifecycleEvent) { flush() }

  func busDidEnd() { flush() }
}
