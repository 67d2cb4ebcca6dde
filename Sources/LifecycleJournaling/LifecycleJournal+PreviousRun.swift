import ReactiveLifecycle

extension LifecycleJournal {
  /// How the last run of the program ended.
  public enum PreviousExit: String, Sendable, Hashable, Codable, CaseIterable {
    /// There was none: nothing is recorded.
    case firstLaunch
    /// It terminated, or called ``LifecycleJournal/end()``.
    case endedProperly
    /// It was out of sight, or in no phase yet: most often the system took its memory.
    case killedInBackground
    /// It was in sight: a crash, most often.
    case killedInForeground
    /// It had not ended, and the machine has booted since, or can't tell. That it crashed before
    /// that can't be excluded.
    case machineRestarted
    /// The file was damaged: ``PreviousRun/damage`` says how.
    case unknown
  }

  /// What a journal says about the last run of the program.
  public struct PreviousRun: Sendable, Hashable {
    /// How it ended.
    public let exit: PreviousExit
    /// The time from its last sign of life to the opening of the journal, sleep of the device
    /// included; by the wall clock if the machine has booted since. Never negative. Nil for
    /// `firstLaunch` and `unknown`.
    public let timeAway: Duration?
    /// What was wrong with the file; nil unless ``exit`` is `unknown`.
    public let damage: Damage?

    /// A report as a test makes it.
    public init(exit: PreviousExit, timeAway: Duration? = nil, damage: Damage? = nil) {
      self.exit = exit
      self.timeAway = timeAway
      self.damage = damage
    }
  }

  /// What was wrong with a journal's file.
  ///
  /// The file is a journal again, and the bytes that it had are in another file. Values that could
  /// be read were kept.
  public struct Damage: Error, Sendable, Hashable {
    /// What does not look as it must.
    public enum Problem: Sendable, Hashable {
      /// There is no record where one must be: the file is another program's, or was overwritten.
      case noRecord
      /// The record was written by another version of this library, in the format of that number.
      case otherVersion(Int)
      /// The record's length contradicts itself.
      case wrongLength
      /// The record's number is not the one that must be there.
      case wrongGeneration
      /// The record's bytes are not those that were written.
      case wrongChecksum
      /// The record's bytes are those that were written, and make no sense.
      case unreadableContent
      /// The file has that many bytes, instead of 8192.
      case wrongSize(Int)
    }

    /// The file.
    public var path: String
    /// Where in the file, in bytes from its beginning.
    public var offset: Int
    /// What was found there.
    public var problem: Problem
    /// The path of the new file with the bytes that were found: `PATH.damaged`, `PATH.damaged-2`,
    /// ….
    public var setAside: String

    /// A damage as a test makes it.
    public init(path: String, offset: Int, problem: Problem, setAside: String) {
      self.path = path
      self.offset = offset
      self.problem = problem
      self.setAside = setAside
    }
  }
}

extension LifecycleJournal.Damage.Problem: CustomStringConvertible {
  /// What was found, and what was expected.
  public var description: String {
    switch self {
    case .noRecord: "there is no record of a journal, where one was expected"
    case .otherVersion(let version):
      "a record in version \(version) of the format, where version \(JournalSlot.version) was "
        + "expected; another version of this library has written it"
    case .wrongLength: "the length of a record was expected, twice"
    case .wrongGeneration: "another number of a record was expected"
    case .wrongChecksum:
      "another checksum was expected: the record has changed since it was written"
    case .unreadableContent: "a phase, an instant, a boot, a process and values were expected"
    case .wrongSize(let size): "\(JournalSlot.fileSize) bytes were expected, and there are \(size)"
    }
  }
}

extension LifecycleJournal.Damage: CustomStringConvertible {
  /// What was wrong, where, and where the bytes are now.
  public var description: String {
    """
    \(path) is not a journal, or was damaged: at byte \(offset), \(problem). Its bytes were \
    copied to \(setAside), and a new journal begun.
    """
  }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
extension LifecycleJournal.PreviousRun: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "exit": exit, "timeAway": timeAway.map(Seconds.init) as Any, "damage": damage as Any,
      ],
      displayStyle: .struct
    )
  }
}
