/// What records: the file under its lock, written where the bus delivers, by the heartbeat, and by
/// whoever sets a value.
///
/// The lock is held while the file is written, so that records follow each other, and never while
/// anything of the program is called: its clock is read before, its handler called after that.
final class JournalCore: Sendable {
  private struct State: ~Copyable {
    var machine: JournalMachine
    /// Nil when the run has ended, or the journal was released.
    var file: (any JournalFile)?
  }

  let path: String
  let clock: any LifecycleClock
  private let onWriteFailure: @Sendable (LifecycleJournal.WriteError) -> Void
  private let state: Locked<State>
  private let heartbeat: Heartbeat?

  init(
    _ journal: OpenedJournal,
    path: String,
    clock: any LifecycleClock,
    heartbeat interval: Duration?,
    _ onWriteFailure: @escaping @Sendable (LifecycleJournal.WriteError) -> Void
  ) {
    self.path = path
    self.clock = clock
    self.onWriteFailure = onWriteFailure
    state = Locked(State(machine: journal.machine, file: journal.file))
    heartbeat = interval.map { Heartbeat(every: $0, clock) }
  }

  func startHeartbeat() {
    heartbeat?.start { [weak self] in self?.record { _ in true } }
  }

  var values: JournalValues { state.withLock { $0.machine.record.values } }

  /// Records that the run has ended properly, and lets go of the file.
  func end() {
    heartbeat?.stop()
    record { record in
      guard !record.hasEnded else { return false }
      record.hasEnded = true
      return true
    }
    close()
  }

  /// Lets go of the file.
  func close() {
    heartbeat?.stop()
    let file = state.withLock { $0.file.take() }
    withExtendedLifetime(file) {}
  }

  func set(_ value: [UInt8]?, forKey key: String) throws(LifecycleJournal.WriteError) {
    let now = clock.now
    let path = path
    try state.withLock { state throws(LifecycleJournal.WriteError) in
      guard let file = state.file else { throw .ended(path: path) }
      var record = state.machine.record
      let capacity = JournalRecord.valueCapacity
      guard let values = record.values.setting(value, forKey: key, capacity: capacity) else {
        let room = record.values.room(forKey: key, capacity: capacity)
        throw .tooLarge(key: key, size: value?.count ?? 0, room: room)
      }
      record.values = values
      do throws(JournalFileError) {
        try Self.write(record, at: now, file, &state.machine)
      } catch {
        throw .cannotWrite(path: path, errno: error.errno)
      }
    }
  }

  /// Writes the record as it is then, unless the change says that there is nothing to write. Any
  /// thread.
  private func record(_ change: (inout JournalRecord) -> Bool) {
    let now = clock.now
    let failure = state.withLock { state -> JournalFileError? in
      guard let file = state.file else { return nil }
      var record = state.machine.record
      guard change(&record) else { return nil }
      do throws(JournalFileError) {
        try Self.write(record, at: now, file, &state.machine)
        return nil
      } catch {
        return state.machine.didFail(toWrite: record) ? error : nil
      }
    }
    if let failure { onWriteFailure(.cannotWrite(path: path, errno: failure.errno)) }
  }

  private static func write(
    _ record: JournalRecord,
    at now: LifecycleInstant,
    _ file: any JournalFile,
    _ machine: inout JournalMachine
  ) throws(JournalFileError) {
    var record = record
    // Another thread may have read the clock later, and come first.
    if now.continuous > record.signOfLife.continuous { record.signOfLife = now }
    let write = machine.write(of: record)
    try OpenedJournal.perform(write, file)
    machine.didWrite(write)
  }
}

extension JournalCore: BusListener {
  func join(at delivered: DeliveredState) {
    note(delivered.phase)
  }

  func hear(_ event: LifecycleEvent) {
    note(event.phase)
  }

  func busDidEnd() {}

  private func note(_ phase: LifecyclePhase) {
    record { record in
      guard record.phase != phase else { return false }
      record.phase = phase
      return true
    }
    if phase == .terminated { heartbeat?.stop() }
  }
}
