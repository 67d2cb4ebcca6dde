import LifecycleSupport
public import ReactiveLifecycle

/// A small file that reports, at the next launch, how this run of the program ended, and how long
/// it was away.
///
/// ```swift
/// journal = try LifecycleJournal(at: path, of: bus)
/// if journal.previousRun.exit == .killedInForeground { offerReport() }
/// ```
///
/// Each transition of the bus is written before the observers that follow receive it. It is then
/// durable, whatever happens to the process or to the power: the file has two places for a record,
/// and the newest one is never overwritten. The file always has 8192 bytes, and there is no other
/// file, except for copies of damaged ones. For details, see <doc:Journal>.
///
/// A run ends properly when the bus reaches `terminated`, with ``end()``, or when the process
/// exits: by `exit`, or a return from `main`, but not by `_exit` or an uncaught signal. Releasing
/// the journal or the bus does not count as an end: objects are released for many reasons, and the
/// process may well crash afterwards. The last phase recorded then decides. Releasing the journal
/// unsubscribes it from the bus and closes the file.
///
/// In the foreground the file is locked, so that another process is refused. In the background,
/// where this process may be suspended, it is not locked; see <doc:Journal>.
public final class LifecycleJournal: Sendable {
  /// A report on how the last run of the program ended.
  public let previousRun: PreviousRun
  /// The number of this run of the program, from 1, as far as the file remembers.
  public let runNumber: Int

  let core: JournalCore
  /// The bus that the journal records, whose core the row keeps alive.
  let busID: ObjectIdentifier
  private let row: ListenerRow

  /// Opens or creates the file, and records what happens on the bus from now on, beginning with its
  /// current phase.
  ///
  /// If the file is created, only the current user can read and write it; the permissions of an
  /// existing file stay as they are. The initializer writes on the calling thread before it
  /// returns. Later writes happen where the bus delivers, in the journal's turn among the
  /// observers. If the journal is registered first, it has recorded an upward transition before any
  /// observer receives it. A write takes as long as the drive needs to make it durable, some
  /// milliseconds on most drives.
  ///
  /// A file that is damaged, or is not a journal, is copied to `PATH.damaged` (`PATH.damaged-2`, …)
  /// before it is overwritten; ``PreviousRun/damage`` describes the damage. Values that could be
  /// read are kept.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its directory must exist; a symbolic link is followed.
  ///   - bus: The bus whose transitions are recorded. The journal uses its clock, and does not keep
  ///     the bus alive.
  ///   - interval: The interval at which a sign of life is recorded in addition to the transitions,
  ///     so that ``PreviousRun/timeAway`` of the next run is accurate to that interval; nil for
  ///     none. Each costs a write, on a thread of the clock. An interval that is not positive is
  ///     reported at the caller's line and treated as nil.
  ///   - fileSystem: The file system of the file: the operating system's, unless a test passes
  ///     another.
  ///   - onWriteFailure: Called on the thread that was to write, without a lock, when a transition
  ///     or a sign of life can't be recorded: once, until one can be recorded again. The default
  ///     reports an issue. The bus continues.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Throws: An ``OpenError`` that describes what to do. Earlier records are kept.
  public init(
    at path: String,
    of bus: some LifecycleBusProtocol,
    heartbeat interval: Duration? = nil,
    fileSystem: JournalFileSystem = .system,
    onWriteFailure: @escaping @Sendable (WriteError) -> Void = { $0.report() },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(OpenError) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let busCore = bus.core
    let clock = busCore.clock
    let (now, boot, delivered) = (clock.now, clock.bootID, busCore.delivered)
    let file = try OpenedJournal(at: path, in: fileSystem.storage) { previous in
      JournalRecord(
        phase: delivered.phase,
        signOfLife: now,
        boot: boot,
        processID: getpid(),
        run: (previous?.run ?? 0) &+ 1,
        values: previous?.values ?? JournalValues()
      )
    }
    previousRun = file.previousRun(at: now, boot: boot)
    runNumber = Int(clamping: file.machine.record.run)
    core = JournalCore(
      file,
      path: path,
      clock: clock,
      heartbeat: Self.checked(interval, site),
      onWriteFailure
    )
    row = ListenerRow(
      core: busCore,
      kinds: .transitions,
      site: site,
      listener: core,
      locateRunning: { [savedValues = core.savedValues] in savedValues.runningLocation }
    )
    busID = ObjectIdentifier(busCore)
    busCore.listen(row)
    if delivered.phase != .terminated { core.startHeartbeat() }
  }

  deinit {
    row.cancel()
    core.leave()
  }

  private static func checked(_ interval: Duration?, _ site: CallSite) -> Duration? {
    guard let interval, interval <= .zero else { return interval }
    site.report(
      """
      A journal can't have a heartbeat every \(interval), so it was opened without one. Pass a \
      positive interval or nil.
      """
    )
    return nil
  }

  /// Records that the run has ended properly, and closes the file, which another journal can then
  /// open.
  ///
  /// Thread-safe. The record is durable when the method returns. Later transitions of the bus are
  /// not recorded. Calling the method more than once has no effect.
  ///
  /// ```swift
  /// journal.end()
  /// ```
  public func end() {
    core.end()
    row.cancel()
  }
}

extension OpenedJournal {
  fileprivate func previousRun(
    at now: LifecycleInstant,
    boot: BootID?
  ) -> LifecycleJournal.PreviousRun {
    switch previous {
    case .nothing: LifecycleJournal.PreviousRun(exit: .firstLaunch)
    case .record(let record): record.previousRun(at: now, boot: boot)
    case .damaged(let damage): LifecycleJournal.PreviousRun(exit: .unknown, damage: damage)
    }
  }
}
