public import LifecycleCore
import LifecycleSupport

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
  import class FoundationEssentials.JSONDecoder
  import class FoundationEssentials.JSONEncoder
#else
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import class Foundation.JSONEncoder
#endif

/// A small file that reports, at the next launch, how this run of the program ended, and how long
/// it was away.
///
/// ```swift
/// journal = try LifecycleJournal(at: path, of: bus)
/// if journal.previousRun.exit == .killedInForeground { offerReport() }
/// ```
///
/// Each transition of the bus is written before the observers that follow receive it. It is then
/// durable, whatever happens to the process or to the power: the file has two places for an entry,
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
  /// The instant of the last sign of life of the previous run, an entry of its journal; nil if none
  /// is known.
  ///
  /// It counts from the boot of that run. With a heartbeat, the run did not live much longer:
  ///
  /// ```swift
  /// rental = Countdown(
  ///   restoring: saved,
  ///   of: bus,
  ///   inBackground: .pause,
  ///   lastSignOfLife: journal.previousSignOfLife
  /// )
  /// ```
  public let previousSignOfLife: LifecycleInstant?
  /// The number of this run of the program, from 1, as far as the file remembers.
  package let runNumber: Int

  let core: JournalCore
  /// The core of the bus that the journal records.
  let bus: LifecycleBusCore
  let row: ListenerRow

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
  ///   - version: The version of the program, by which the next run recognizes an update; nil if
  ///     there is none. By default, on Apple platforms, that of the main bundle with its build
  ///     number; elsewhere, none. A version of more than 124 bytes is treated as nil.
  ///   - fileSystem: The file system of the file: the operating system's, unless a test passes
  ///     another.
  ///   - onWriteFailure: Called on the thread that was to write, without a lock, when a transition
  ///     or a sign of life can't be recorded: once, until one can be recorded again. If nil, an
  ///     issue is reported. The bus continues.
  /// - Throws: An ``OpenError`` that describes what to do. Earlier entries are kept.
  public init(
    at path: String,
    of bus: some LifecycleBusProtocol,
    heartbeat interval: Duration? = nil,
    version: String? = LifecycleJournal.bundleVersion,
    fileSystem: JournalFileSystem = .system,
    onWriteFailure: (@Sendable (WriteError) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws(OpenError) {
    let site = CallSite(fileID, filePath, line, column)
    let busCore = bus.core
    let clock = busCore.clock
    let (now, boot, delivered) = (clock.now, clock.bootID, busCore.delivered)
    let entry = JournalEntry(
      phase: delivered.phase,
      signOfLife: now,
      boot: boot,
      processID: getpid(),
      version: version
    )
    let opened: OpenedJournal
    do throws(OpenError) {
      opened = try OpenedJournal(at: path, in: fileSystem.storage, entry)
    } catch {
      throw busCore.delivered.isProtectedDataAvailable ? error : error.whileDeviceIsLocked
    }
    previousRun = opened.previousRun(at: now, boot: boot, version: version)
    previousSignOfLife = opened.previousSignOfLife
    runNumber = Int(clamping: opened.machine.entry.run)
    core = JournalCore(
      opened,
      path: path,
      clock: clock,
      heartbeat: Self.checked(interval, site),
      onWriteFailure ?? { $0.report() }
    )
    row = ListenerRow(
      core: busCore,
      kinds: .transitions,
      site: site,
      listener: core,
      locateRunning: { [savedValues = core.savedValues] in savedValues.runningLocation }
    )
    self.bus = busCore
    busCore.listen(row)
    if delivered.phase != .terminated { core.startHeartbeat() }
    core.awaitLaunch(in: row, of: busCore)
  }

  deinit {
    row.cancel()
    core.leave()
  }

  /// The version and the build number of the main bundle; nil if it has none.
  @usableFromInline
  static var bundleVersion: String? { LifecycleSupport.bundleVersion }

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
  /// Thread-safe. The entry is durable when the method returns. Later transitions of the bus are
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

extension LifecycleJournal {
  /// Records a small value for this run and later ones, such as the state of a countdown.
  ///
  /// ```swift
  /// try journal.set(deadline, forKey: "deadline")
  /// let deadline = try journal.value(Deadline.self, forKey: "deadline")
  /// ```
  ///
  /// All values and keys together have room for about 3.5 kB. Thread-safe; the value is encoded as
  /// JSON on the calling thread, without a lock.
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the existing one.
  ///   - key: The name of the value.
  /// - Throws: A ``WriteError``; the existing value is then kept. If nothing is thrown, the value
  ///   is durable, whatever happens afterwards.
  public func set(_ value: (some Encodable)?, forKey key: String) throws(WriteError) {
    let bytes: [UInt8]?
    do {
      bytes = try Self.encode(value)
    } catch {
      throw .cannotEncode(key: key, reason: "\(error)")
    }
    try core.set(bytes, forKey: key)
  }

  /// Returns the value that this run or an earlier one has set.
  ///
  /// Thread-safe; nothing is read from the file.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - key: The name of the value.
  /// - Returns: The value; nil if there is none.
  /// - Throws: A `DecodingError` if the value is of another type.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self,
    forKey key: String
  ) throws -> Value? {
    guard let bytes = core.values[key] else { return nil }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }

  static func encode(_ value: (some Encodable)?) throws -> [UInt8]? {
    try value.map { Array(try JSONEncoder().encode($0)) }
  }
}
