import LifecycleCore
import LifecycleSupport

/// The writing part of a journal.
///
/// The file, protected by a lock, is written where the bus delivers, by the heartbeat, and by any
/// caller that sets a value.
///
/// The lock is held while the file is written, so that entries follow each other. It is never held
/// while code of the program is called: the program's clock is read before, and its handler called
/// afterwards.
final class JournalCore: Sendable {
  let path: String
  /// The absolute path, which stays valid when the program changes its directory.
  private let location: String
  private let clock: any LifecycleClock
  private let onWriteFailure: @Sendable (LifecycleJournal.WriteError) -> Void
  private let writer: Locked<JournalWriter>
  private let heartbeat: Heartbeat?
  private let launch: Alarm
  /// The action at the exit of the process; nil once nothing more is recorded.
  private let exitAction = Locked<Int?>(nil)
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
    writer = Locked(JournalWriter(journal, path: path))
    heartbeat = interval.map { Heartbeat(every: $0, clock) }
    launch = Alarm(clock)
    let exitAction = ProcessExit.add { [weak self] in self?.recordEnd() }
    self.exitAction.withLock { $0 = exitAction }
  }

  func startHeartbeat() {
    heartbeat?.start { [weak self] in self?.update { _ in true } }
  }

  /// The time that a launch in the background takes at most.
  ///
  /// Crash reporters count a crash within that time as one of the launch (getsentry/sentry-cocoa,
  /// issue 9007). A longer time would count more of the runs that do their work in the background
  /// within it, and are killed while suspended.
  private static let launchTime = Duration.seconds(2)

  /// Records the end of the launch if the run has not reached the foreground by then.
  ///
  /// It takes a turn where the bus delivers: a run whose main thread hangs is still launching.
  func awaitLaunch(in row: ListenerRow, of bus: LifecycleBusCore) {
    guard writer.withLock({ $0.machine.entry.isLaunching }) else { return }
    launch.set(for: clock.continuous + Self.launchTime) { [weak self, weak row, weak bus] in
      // A bus that has ended gives no turn.
      guard let row, let bus, row.isLive else {
        self?.endLaunch()
        return
      }
      bus.perform(inTurnOf: row) { self?.endLaunch() }
    }
  }

  private func endLaunch() {
    update { entry in
      defer { entry.isLaunching = false }
      return entry.isLaunching
    }
  }

  var values: JournalValues { writer.withLock { $0.machine.entry.values } }

  /// A Boolean value that indicates whether nothing more is recorded.
  var isClosed: Bool { writer.withLock { $0.file == nil } }

  /// Records that the run has ended properly, and releases the file.
  func end() {
    heartbeat?.stop()
    recordEnd()
    close()
  }

  private func recordEnd() {
    update { entry in
      entry.hasEnded = true
      return true
    }
  }

  /// Releases the file. The run, which continues without a journal, ends with the process.
  func leave() {
    let run = writer.withLock { $0.file is OpenFile ? $0.machine.entry.run : nil }
    close()
    if let run { UnrecordedRuns.add(run, at: location, clock) }
  }

  /// Releases the file.
  private func close() {
    heartbeat?.stop()
    launch.end()
    writer.discard { $0.file.take() }
    if let exitAction = exitAction.take() { ProcessExit.remove(exitAction) }
    savedValues.removeAll()
  }

  func set(_ value: [UInt8]?, forKey key: String) throws(LifecycleJournal.WriteError) {
    let now = clock.now
    let (error, isTaken) = writer.withLock { $0.set(value, forKey: key, at: now) }
    if isTaken { close() }
    if let error { throw error }
  }

  /// Changes the entry and writes it, unless `change` returns false.
  ///
  /// Thread-safe.
  private func update(_ change: (inout JournalEntry) -> Bool) {
    let now = clock.now
    let (error, isTaken) = writer.withLock { $0.update(at: now, change) }
    if isTaken { close() }
    if let error { onWriteFailure(error) }
  }
}

extension JournalCore: BusListener {
  func join(at delivered: DeliveredState) {
    note(delivered.phase)
  }

  func receive(_ event: LifecycleEvent) {
    note(event.phase, saving: savedValues.takeChanges())
  }

  func busDidEnd() {
    writer.withLock { $0.busDidEnd() }
  }

  /// Saves the values that wait, in the journal's turn after the event in delivery: a notice
  /// reaches the journal before the observers that were registered after it.
  func saveValues(inTurnOf row: ListenerRow, of bus: LifecycleBusCore) {
    bus.perform(inTurnOf: row) { [weak self] in
      guard let self else { return }
      save(savedValues.takeChanges())
    }
  }

  /// Writes one entry, if it differs from the earlier one.
  private func save(_ changes: [SavedValue.Change], in phase: LifecyclePhase? = nil) {
    var refusals: [(SavedValue, LifecycleJournal.WriteError)] = []
    update { entry in
      let earlier = entry
      if let phase { entry.phase = phase }
      refusals = entry.save(changes)
      return entry != earlier
    }
    for (value, error) in refusals { value.report(error) }
  }

  private func note(_ phase: LifecyclePhase, saving changes: [SavedValue.Change] = []) {
    save(changes, in: phase)
    if phase.isForeground || phase == .terminated { launch.end() }
    if phase == .terminated { heartbeat?.stop() }
  }
}

/// The file of a journal, guarded by the journal's lock.
private struct JournalWriter: ~Copyable {
  /// The error to report, and whether the file is to be released after the lock.
  typealias Outcome = (error: LifecycleJournal.WriteError?, isTaken: Bool)

  private(set) var machine: JournalMachine
  /// The file; nil once nothing more is recorded.
  var file: (any JournalFile)?
  /// The process that has taken over the file.
  private var newOwner: Int32?
  private let path: String

  init(_ journal: OpenedJournal, path: String) {
    (machine, file, self.path) = (journal.machine, journal.file, path)
    if !machine.keepsLock(in: machine.entry.phase) { unlock(journal.file) }
  }

  mutating func busDidEnd() {
    machine.busDidEnd()
    if let file { unlock(file) }
  }

  mutating func set(
    _ value: [UInt8]?,
    forKey key: String,
    at now: LifecycleInstant
  ) -> Outcome {
    do throws(LifecycleJournal.WriteError) {
      var entry = machine.entry
      if file != nil { try entry.set(value, forKey: key) }
      try write(entry, at: now)
      return (nil, false)
    } catch {
      return (error, newOwner != nil)
    }
  }

  mutating func update(
    at now: LifecycleInstant,
    _ change: (inout JournalEntry) -> Bool
  ) -> Outcome {
    guard file != nil, newOwner == nil else { return (nil, false) }
    var entry = machine.entry
    guard change(&entry) else { return (nil, false) }
    do throws(LifecycleJournal.WriteError) {
      try write(entry, at: now)
      return (nil, false)
    } catch {
      let isFirst = machine.didFail(toWrite: entry)
      return (isFirst || newOwner != nil ? error : nil, newOwner != nil)
    }
  }

  private mutating func write(
    _ entry: JournalEntry,
    at now: LifecycleInstant
  ) throws(LifecycleJournal.WriteError) {
    if let newOwner { throw .inUse(path: path, processID: newOwner) }
    guard let file else { throw .ended(path: path) }
    var entry = entry
    entry.addSignOfLife(now)
    let isOurs: Bool
    do throws(JournalFileError) {
      isOurs = try lock(file)
      if isOurs {
        let write = machine.write(of: entry)
        try writeUnlocking(write, file)
        try file.synchronize()
        machine.didWrite(write)
      }
    } catch {
      throw .cannotWrite(path: path, errno: error.errno)
    }
    if !isOurs { throw .inUse(path: path, processID: newOwner) }
  }

  /// Writes the bytes, and then unlocks the file, unless it must stay locked: the drive takes its
  /// time, and the process may be suspended in the meantime.
  private mutating func writeUnlocking(
    _ write: JournalMachine.Write,
    _ file: any JournalFile
  ) throws(JournalFileError) {
    defer {
      if !machine.keepsLock(in: write.entry.phase) { unlock(file) }
    }
    try file.write(write.bytes, at: write.offset)
  }

  /// Locks the file if it is not locked, and determines whether it still belongs to this journal.
  ///
  /// - Returns: False if another process has locked it, or has taken it over.
  private mutating func lock(_ file: any JournalFile) throws(JournalFileError) -> Bool {
    guard !machine.isLocked else { return true }
    do throws(JournalFileError) {
      if try file.lock() { machine.didLock() }
      newOwner = machine.newOwner(in: try OpenedJournal.contents(of: file))
    } catch {
      unlock(file)
      throw error
    }
    if newOwner != nil { unlock(file) }
    return machine.isLocked && newOwner == nil
  }

  private mutating func unlock(_ file: any JournalFile) {
    if machine.isLocked, file.unlock() { machine.didUnlock() }
  }
}

/// The runs of this process whose journals were released, which may happen during the return from
/// `main`. They end with the process, unless their file has another owner by then.
enum UnrecordedRuns {
  private struct Run {
    let number: UInt64
    let clock: any LifecycleClock
  }

  private static let runs = Locked<[String: Run]>([:])
  private static let exitAction = ProcessExit.Action {
    for (path, run) in runs.withLock({ $0 }) { end(run, at: path) }
  }

  static func add(_ number: UInt64, at path: String, _ clock: any LifecycleClock) {
    runs.discard { $0.updateValue(Run(number: number, clock: clock), forKey: path) }
    exitAction.add()
  }

  private static func end(_ run: Run, at path: String) {
    let now = run.clock.now
    guard let file = try? OpenFile(path, O_RDWR | O_NONBLOCK),
      (try? file.claim(yieldsLock: false)) == true, (try? file.lock()) == true,
      case .entry(var entry, let generation)? = try? OpenedJournal.contents(of: file),
      entry.run == run.number, entry.processID == getpid(), !entry.hasEnded
    else { return }
    let machine = JournalMachine(entry, generation: generation)
    entry.hasEnded = true
    entry.addSignOfLife(now)
    try? OpenedJournal.perform(machine.write(of: entry), file)
  }
}

/// A repeated call, by the timers of a clock.
///
/// The beats keep to their schedule. After the process was stopped or the device was asleep, one
/// beat comes at once, and the next after the interval.
final class Heartbeat: Sendable {
  private let interval: Duration
  private let clock: any LifecycleClock
  private let alarm: Alarm

  /// - Parameter interval: The time between two beats, greater than zero.
  init(every interval: Duration, _ clock: any LifecycleClock) {
    self.interval = interval.clamped
    self.clock = clock
    alarm = Alarm(clock)
  }

  /// Starts the beats.
  ///
  /// The first one comes after the interval.
  ///
  /// - Parameter body: Called on a thread of the clock.
  func start(_ body: @escaping @Sendable () -> Void) {
    setAlarm(for: clock.continuous + interval, body)
  }

  /// Stops the beats permanently.
  ///
  /// Thread-safe.
  func stop() {
    alarm.end()
  }

  private func setAlarm(for deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void) {
    alarm.set(for: deadline) { [weak self] in self?.beat(dueAt: deadline, body) }
  }

  private func beat(dueAt deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void) {
    guard !alarm.hasEnded else { return }
    body()
    let now = clock.continuous
    let next = deadline + interval
    let later = next > now ? next : now + interval
    // A clock that has reached its limit shows no later instant.
    guard later > now else { return }
    setAlarm(for: later, body)
  }
}
