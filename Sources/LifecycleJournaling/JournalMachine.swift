import LifecycleCore

/// The state machine that determines which bytes of a journal's file are written next.
///
/// It performs no I/O: its owner writes the bytes and reports the outcome.
///
/// A write goes to the slot that does not hold the newest entry, so that this entry stays
/// readable whatever happens in the meantime.
struct JournalMachine: Sendable {
  /// The newest entry.
  ///
  /// It is in the file, unless its write has failed.
  private(set) var entry: JournalEntry
  private(set) var generation: UInt64
  private var isFailing = false
  /// A Boolean value that indicates whether the file is locked.
  private(set) var isLocked = true
  private(set) var hasBusEnded = false

  /// Creates a machine for a locked file.
  ///
  /// - Parameters:
  ///   - entry: The newest entry that is in the file.
  ///   - generation: Its generation.
  init(_ entry: JournalEntry, generation: UInt64) {
    self.entry = entry
    self.generation = generation
  }

  /// An entry to write, and its place in the file.
  struct Write {
    let entry: JournalEntry
    let generation: UInt64
    let bytes: [UInt8]

    init(_ entry: JournalEntry, generation: UInt64) {
      self.entry = entry
      self.generation = generation
      bytes = JournalSlot.encode(entry, generation: generation)
    }

    /// The offset in the file.
    var offset: Int { JournalSlot.index(of: generation) * JournalSlot.size }
  }

  func write(of entry: JournalEntry) -> Write {
    Write(entry, generation: generation + 1)
  }

  /// Takes note that an entry is in the file and durable.
  mutating func didWrite(_ write: Write) {
    entry = write.entry
    generation = write.generation
    isFailing = false
  }

  /// Takes note that an entry is not in the file, or may not be.
  ///
  /// The next write goes to the same slot. Its entry begins as a copy of this one.
  ///
  /// - Returns: Whether it is the first failure after a success.
  mutating func didFail(toWrite entry: JournalEntry) -> Bool {
    self.entry = entry
    defer { isFailing = true }
    return !isFailing
  }

  mutating func didLock() { isLocked = true }

  mutating func didUnlock() { isLocked = false }

  mutating func busDidEnd() { hasBusEnded = true }

  // MARK: The first writes

  /// Returns the write of the first entry of a new file.
  static func firstWrite(of entry: JournalEntry) -> Write {
    Write(entry, generation: 1)
  }

  /// Returns all bytes of a new file.
  ///
  /// It has its full size from the beginning, so that later writes need no space on the disk.
  ///
  /// - Parameter write: The first write.
  static func firstFile(_ write: Write) -> [UInt8] {
    write.bytes + [UInt8](repeating: 0, count: JournalSlot.fileSize - write.bytes.count)
  }

  /// The bytes that first replace the beginning of a damaged file.
  ///
  /// Without its mark, the first slot can't be taken for the remains of an interrupted write,
  /// whatever part of the following write it holds.
  static let invalidation = [UInt8](repeating: 0, count: JournalSlot.headerSize)

  /// Returns the writes that then make a damaged file a journal again, one for each slot, both of
  /// the same entry.
  ///
  /// Each must be made durable before the next.
  ///
  /// Their generations are so far ahead that neither anything left from before nor a mixture of the
  /// bytes looks like a neighbor: the lowest byte is far from that of `generation`.
  ///
  /// - Parameter generation: The highest generation that is readable.
  static func repair(_ entry: JournalEntry, after generation: UInt64) -> [Write] {
    let first = (generation + (1 << 20) + (1 << 7)) | 1
    return [Write(entry, generation: first), Write(entry, generation: first + 1)]
  }
}

extension JournalMachine {
  /// Returns a Boolean value that indicates whether the file, if it can be unlocked, stays locked
  /// between two writes in a phase.
  ///
  /// A process that may be suspended holds no lock: iOS ends a process that is suspended while it
  /// holds the lock of a file in a shared container (`0xdead10cc`, in Apple's *Understanding the
  /// exception types in a crash report*). There, a process is certain not to be suspended only in
  /// the foreground: it may be launched into the background, or ahead of time, before anything is
  /// known of its phase. Without its bus, a journal does not learn when the foreground ends.
  func keepsLock(in phase: LifecyclePhase) -> Bool {
    !hasBusEnded && phase >= .inactive
  }

  /// Returns the process that has opened the file since it was unlocked, and recorded another run;
  /// nil if none has.
  ///
  /// - Parameter contents: The content of the file.
  func newOwner(in contents: JournalContents) -> Int32? {
    let (newest, newestGeneration): (JournalEntry?, UInt64) =
      switch contents {
      case .nothing: (nil, 0)
      case .entry(let entry, let generation): (entry, generation)
      case .damaged(_, _, let readable, let generation): (readable, generation)
      }
    guard let newest, newestGeneration > generation,
      newest.run != entry.run || newest.processID != entry.processID
    else { return nil }
    return newest.processID
  }
}
