public import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A small file that says, at the next launch, how this run of the program ended, and for how long
/// it was away.
///
/// ```swift
/// let journal = try LifecycleJournal(at: path, of: bus)
/// if journal.previousRun.exit == .killedInForeground { offerReport() }
/// ```
///
/// Each transition of the bus is written before the observers that follow are told of it, and stays
/// whatever happens to the process, or to the power, after that: the file has two places for a
/// record, and the newest one is never overwritten. It has 8192 bytes, whatever happens, and there
/// is no other file. <doc:Journal> says more.
///
/// A run ends properly when the bus reaches `terminated`, or with ``end()``. Neither the release of
/// the journal nor that of the bus counts as an end: objects are released for many reasons, and the
/// process may well crash after that; the last phase recorded then decides. The release of
/// the journal leaves the bus and closes the file.
///
/// The file is locked in the foreground, so that another process is refused, and not in the background,
/// where this one may be suspended: see <doc:Journal>.
public final class LifecycleJournal: Sendable {
  /// How the last run of the program ended.
  public let previousRun: PreviousRun
  /// Which run of the program this is, from 1, as far as the file remembers.
  public let runNumber: Int

  let core: JournalCore
  private let row: ListenerRow

  /// Opens the file, or makes one, readable and writable by this user alone, and records what
  /// happens on the bus from now on, beginning with the phase that it has.
  ///
  /// It writes before it returns, on the calling thread, and then where the bus delivers, in the
  /// journal's turn among the observers: registered first, it has recorded an upward transition
  /// before any observer hears of it. A write takes as long as the drive needs to keep it, some
  /// milliseconds on most.
  ///
  /// A file that is damaged, or none of a journal, is copied to `PATH.damaged` (`PATH.damaged-2`, …)
  /// before it is overwritten; ``PreviousRun/damage`` tells. Values that could be read are kept.
  ///
  /// - Parameters:
  ///   - path: Where the file is. Its directory must exist; a symbolic link is followed.
  ///   - bus: Whose transitions are recorded. Its clock is the journal's. The journal does not keep
  ///     it alive.
  ///   - interval: How often a sign of life is recorded besides the transitions, so that
  ///     ``PreviousRun/timeAway`` of the next run is right to that much; never, if nil. Each costs a
  ///     write, on a thread of the clock. It must be more than zero: that is reported at the
  ///     caller's line, and there is none.
  ///   - fileSystem: The file system of the file; the operating system's, unless a test gives another.
  ///   - onWriteFailure: Called when a transition or a sign of life can't be recorded, once until
  ///     one can be again, without a lock, on the thread that was to write. It reports an issue, if
  ///     nothing else is given. The bus goes on.
  /// - Throws: An ``OpenError`` that says what to do. What was recorded before stays.
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
    row = ListenerRow(core: busCore, kinds: .transitions, site: site, listener: core)
    busCore.listen(row)
    if delivered.phase != .terminated { core.startHeartbeat() }
  }

  deinit {
    row.cancel()
    core.close()
  }

  private static func checked(_ interval: Duration?, _ site: CallSite) -> Duration? {
    guard let interval, interval <= .zero else { return interval }
    site.report("A journal can't have a heartbeat every \(interval). It was opened without one.")
    return nil
  }

  /// Records that the run has ended properly, and closes the file; another journal can open it
  /// then. Any thread; durable when it returns.
  ///
  /// What happens on the bus after that is not recorded. A second call does nothing.
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
