import LifecycleSupport
import ReactiveLifecycle

/// The recording part of a journal.
///
/// The file, protected by a lock, is written where the bus delivers, by the heartbeat, and by any
/// caller that sets a value.
///
/// The lock of the state is held while the file is written, so that records follow each other. It
/// is never held while code of the program is called: the program's clock is read before, and its
/// handler called afterwards.
final class JournalCore: Sendable {
  private struct State: ~Copyable {
    var machine: JournalMachine
    /// The file; nil once nothing more is recorded.
    var file: (any JournalFile)?
    /// The process that has taken over the file.
    var newOwner: Int32?
    /// The action at the exit of the process; nil once nothing more is recorded.
    var exitAction: Int?
  }

  /// The reason why a record was not written.
  private enum Failure: Error {
    case file(JournalFileError)
    /// Another process has the file locked.
    case locked
    /// Another process has recorded another run.
    case taken(by: Int32)

    func writeError(_ path: String) -> LifecycleJournal.WriteError {
      switch self {
      case .file(let error): .cannotWrite(path: path, errno: error.errno)
      case .locked: .inUse(path: path, processID: nil)
      case .taken(let newOwner): .inUse(path: path, processID: newOwner)
      }
    }
  }

  /// The error to report, and a file to release after the lock.
  private typealias Refusal = (LifecycleJournal.WriteError?, (any JournalFile)?)

  let path: String
  /// The absolute path, which stays valid when the program changes its directory.
  private let location: String
  let clock: any LifecycleClock
  private let onWriteFailure: @Sendable (LifecycleJournal.WriteError) -> Void
  private let state: Locked<State>
  private let heartbeat: Heartbeat?
  let savedValues = SavedValueQueue()

  init(
    _ journal: OpenedJournal,
    path: String,
    clock: any LifecycleClock,
    heartbeat interval: Duration?,
    _ onWriteFailure: @escaping @Sendable (LifecycleJournal.WriteError) -> Void
  ) {
    self.path = path
    location = SystemDescriptor.absolutePath(path)
    self.clock = clock
    self.onWriteFailure = onWriteFailure
    var machine = journal.machine
    if !machine.keepsLock(in: machine.record.phase) { Self.unlock(journal.file, &machine) }
    state = Locked(State(machine: machine, file: journal.file))
    heartbeat = interval.map { Heartbeat(every: $0, clock) }
    let exitAction = ProcessExit.add { [weak self] in self?.recordEnd() }
    state.withLock { $0.exitAction = exitAction }
  }

  func startHeartbeat() {
    heartbeat?.start { [weak self] in self?.record { _ in true } }
  }

  var values: JournalValues { state.withLock { $0.machine.record.values } }

  /// A Boolean value that indicates whether nothing more is recorded.
  var isClosed: Bool { state.withLock { $0.file == nil } }

  /// Records that the run has ended properly, and releases the file.
  func end() {
    heartbeat?.stop()
    recordEnd()
    close()
  }

  private func recordEnd() {
    record { record in
      record.hasEnded = true
      return true
    }
  }

  /// Releases the file. The run, which goes on without a journal, ends with the process.
  func leave() {
    let run = state.withLock { $0.file is OpenFile ? $0.machine.record.run : nil }
    close()
    if let run { UnrecordedRuns.add(run, at: location, clock) }
  }

  /// Releases the file.
  private func close() {
    heartbeat?.stop()
    let exitAction = state.withLockDiscarding { state in
      (state.exitAction.take(), state.file.take())
    }
    if let exitAction { ProcessExit.remove(exitAction) }
    savedValues.removeAll()
  }

  func set(_ value: [UInt8]?, forKey key: String) throws(LifecycleJournal.WriteError) {
    let now = clock.now
    let path = path
    let (error, unwanted) = state.withLock { state -> Refusal in
      guard let file = state.file else {
        guard let newOwner = state.newOwner else { return (.ended(path: path), nil) }
        return (.inUse(path: path, processID: newOwner), nil)
      }
      var record = state.machine.record
      let capacity = JournalRecord.valueCapacity
      guard let values = record.values.setting(value, forKey: key, capacity: capacity) else {
        let room = record.values.room(forKey: key, capacity: capacity)
        return (.tooLarge(key: key, size: value?.count ?? 0, room: room), nil)
      }
      record.values = values
      do throws(Failure) {
        try Self.write(record, at: now, file, &state.machine)
        return (nil, nil)
      } catch {
        return (error.writeError(path), Self.detachFile(of: &state, after: error))
      }
    }
    release(unwanted)
    if let error { throw error }
  }

  /// Changes the record and writes it, unless `change` returns false.
  ///
  /// Thread-safe.
  private func record(_ change: (inout JournalRecord) -> Bool) {
    let now = clock.now
    let path = path
    let (error, unwanted) = state.withLock { state -> Refusal in
      guard let file = state.file else { return (nil, nil) }
      var record = state.machine.record
      guard change(&record) else { return (nil, nil) }
      do throws(Failure) {
        try Self.write(record, at: now, file, &state.machine)
        return (nil, nil)
      } catch {
        let isFirst = state.machine.didFail(toWrite: record)
        let unwanted = Self.detachFile(of: &state, after: error)
        return (isFirst || unwanted != nil ? error.writeError(path) : nil, unwanted)
      }
    }
    release(unwanted)
    if let error { onWriteFailure(error) }
  }

  /// Stops the heartbeat, and releases the file.
  private func release(_ unwanted: (any JournalFile)?) {
    guard let unwanted else { return }
    withExtendedLifetime(unwanted) { heartbeat?.stop() }
  }

  /// Detaches a file that another process has taken over.
  private static func detachFile(of state: inout State, after failure: Failure) -> (
    any JournalFile
  )? {
    guard case .taken(let newOwner) = failure else { return nil }
    state.newOwner = newOwner
    return state.file.take()
  }

  private static func write(
    _ record: JournalRecord,
    at now: LifecycleInstant,
    _ file: any JournalFile,
    _ machine: inout JournalMachine
  ) throws(Failure) {
    var record = record
    record.addSignOfLife(now)
    try lock(file, &machine)
    let write = machine.write(of: record)
    do throws(JournalFileError) {
      try Self.write(write, file, &machine)
      // The file is unlocked by now, unless it must stay locked: the drive takes its time, and the
      // process may be suspended in the meantime.
      try file.synchronize()
    } catch {
      throw .file(error)
    }
    machine.didWrite(write)
  }

  private static func write(
    _ write: JournalMachine.Write,
    _ file: any JournalFile,
    _ machine: inout JournalMachine
  ) throws(JournalFileError) {
    defer {
      if !machine.keepsLock(in: write.record.phase) { unlock(file, &machine) }
    }
    try file.write(write.bytes, at: write.offset)
  }

  /// Locks the file if it is not locked, and determines whether it still belongs to this journal.
  private static func lock(
    _ file: any JournalFile,
    _ machine: inout JournalMachine
  ) throws(Failure) {
    guard !machine.isLocked else { return }
    let (isLocked, newOwner): (Bool, Int32?)
    do throws(JournalFileError) {
      isLocked = try file.lock()
      if isLocked { machine.didLock() }
      newOwner = machine.newOwner(in: try OpenedJournal.contents(of: file))
    } catch {
      unlock(file, &machine)
      throw .file(error)
    }
    guard let newOwner else {
      if isLocked { return }
      throw .locked
    }
    unlock(file, &machine)
    throw .taken(by: newOwner)
  }

  private static func unlock(_ file: any JournalFile, _ machine: inout JournalMachine) {
    if machine.isLocked, file.unlock() { machine.didUnlock() }
  }
}

extension JournalCore: BusListener {
  func join(at delivered: DeliveredState) {
    note(delivered.phase)
  }

  func hear(_ event: LifecycleEvent) {
    note(event.phase, saving: savedValues.takeChanges())
  }

  func busDidEnd() {
    state.withLock { state in
      state.machine.busDidEnd()
      if let file = state.file { Self.unlock(file, &state.machine) }
    }
  }

  private func note(_ phase: LifecyclePhase, saving changes: [SavedValueChange] = []) {
    var refusals: [(SavedValue, LifecycleJournal.WriteError)] = []
    record { record in
      let earlier = record
      record.phase = phase
      refusals = record.save(changes)
      return record != earlier
    }
    for (value, error) in refusals { value.report(error) }
    if phase == .terminated { heartbeat?.stop() }
  }
}
