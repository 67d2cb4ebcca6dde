import LifecycleCore

extension LifecycleJournal {
  /// The way in which the last run of the program ended.
  @nonexhaustive
  public enum PreviousExit: String, Sendable, Hashable, Codable, CaseIterable {
    /// There was no earlier run: nothing is recorded.
    case firstLaunch
    /// The run terminated, called ``LifecycleJournal/end()``, or exited.
    case endedProperly
    /// The run ended before it reached the foreground, within two seconds of the opening of its
    /// journal, or while the main thread hung: most often, it crashed at the launch.
    case killedDuringLaunch
    /// The run ended out of sight: most often, the system reclaimed its memory.
    case killedInBackground
    /// The run ended in sight: most often, it crashed.
    case killedInForeground
    /// The run had not ended, and the machine has booted since, as far as it can tell.
    ///
    /// A crash before the boot can't be excluded.
    case machineRestarted
    /// The run had not ended, and the program has another version since.
    ///
    /// A crash before the update can't be excluded, nor a restart of the machine.
    case updated
    /// The file was damaged; ``PreviousRun/damage`` describes the damage.
    case unknown
  }

  /// A journal's report about the last run of the program.
  public struct PreviousRun: Sendable, Hashable {
    /// The way in which the run ended.
    public let exit: PreviousExit
    /// The time from the run's last sign of life to the opening of the journal, including sleep of
    /// the device.
    ///
    /// It is measured by the wall clock if the machine has booted since; see ``isClockTrusted``.
    /// Never negative. Nil for `firstLaunch` and `unknown`.
    public let timeAway: Duration?
    /// A Boolean value that indicates whether ``timeAway`` was measured by a clock that no one can
    /// set; true if there is no time.
    ///
    /// It is false after a restart of the machine, and in another time namespace, such as that of a
    /// container that was restored from a checkpoint: only the wall clock is left there. If it was
    /// set back, too, ``timeAway`` is zero after any time. On a machine that does not identify its
    /// boots, it is also false after the wall clock was set; see <doc:Journal>.
    ///
    /// ```swift
    /// let previous = journal.previousRun
    /// let isLocked = !previous.isClockTrusted || previous.timeAway ?? limit >= limit
    /// ```
    public let isClockTrusted: Bool
    /// The damage of the file; nil unless ``exit`` is `unknown`.
    public let damage: Damage?

    /// Creates a report, for tests.
    public init(
      exit: PreviousExit,
      timeAway: Duration? = nil,
      isClockTrusted: Bool = true,
      damage: Damage? = nil
    ) {
      self.exit = exit
      self.timeAway = timeAway
      self.isClockTrusted = isClockTrusted
      self.damage = damage
    }
  }

  /// The damage of a journal's file.
  ///
  /// The file is a journal again, and its earlier bytes are in another file. Values that could be
  /// read were kept.
  public struct Damage: Error, Sendable, Hashable {
    /// The problem that was found in the file.
    @nonexhaustive
    public enum Problem: Sendable, Hashable {
      /// An entry is missing: the file is another program's, or was overwritten.
      case noEntry
      /// The entry was written by another version of this library, in the format with that number.
      case otherVersion(Int)
      /// The entry's length contradicts itself.
      case wrongLength
      /// The entry's number is not the expected one.
      case wrongGeneration
      /// The entry's bytes are not those that were written.
      case wrongChecksum
      /// The entry's bytes are those that were written, but make no sense.
      case unreadableContent
      /// The file has that many bytes instead of 8192.
      case wrongSize(Int)
    }

    /// The path of the file.
    public var path: String
    /// The offset of the problem in the file, in bytes.
    public var offset: Int
    /// The problem that was found there.
    public var problem: Problem
    /// The path of the new file that holds the bytes that were found: `PATH.damaged`,
    /// `PATH.damaged-2`, ….
    public var setAside: String
  }
}

extension LifecycleJournal.Damage.Problem: CustomStringConvertible {
  /// A description of what was found, and of what was expected.
  public var description: String {
    switch self {
    case .noEntry: "a journal entry was expected but not found"
    case .otherVersion(let version):
      """
      the entry has version \(version) of the format instead of \(JournalSlot.version), so \
      another version of this library wrote it
      """
    case .wrongLength: "the length of the entry is not valid"
    case .wrongGeneration: "the number of the entry is not the expected one"
    case .wrongChecksum:
      "the checksum is wrong, so the entry has changed since it was written"
    case .unreadableContent:
      "the entry does not contain a phase, an instant, a boot, a process, and values"
    case .wrongSize(let size):
      "the file has \(size) bytes instead of \(JournalSlot.fileSize)"
    }
  }
}

extension LifecycleJournal.Damage: CustomStringConvertible {
  /// A description of the problem, of its place, and of where the bytes are now.
  public var description: String {
    """
    \(path) is damaged or is not a journal: at byte \(offset), \(problem). Its bytes were copied \
    to \(setAside), and a new journal was created.
    """
  }
}

// A `Duration` would be shown as it is stored: as two halves of a number of attoseconds.
extension LifecycleJournal.PreviousRun: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "exit": exit, "timeAway": timeAway.map(Seconds.init) as Any,
        "isClockTrusted": isClockTrusted, "damage": damage as Any,
      ],
      displayStyle: .struct
    )
  }
}
