/// The state machine that determines which bytes of a journal's file are written next.
///
/// It performs no I/O: its owner writes the bytes and reports the outcome.
///
/// A write goes to the slot that does not hold the newest record, so that this record stays
/// readable whatever happens in the meantime.
struct JournalMachine: Sendable {
  /// The newest record.
  ///
  /// It is in the file, unless its write has failed.
  private(set) var record: JournalRecord
  private(set) var generation: UInt64
  private var isFailing = false
  /// A Boolean value that indicates whether the file is locked.
  private(set) var isLocked = true
  private(set) var hasBusEnded = false

  /// Creates a machine for a locked file.
  ///
  /// - Parameters:
  ///   - record: The newest record that is in the file.
  ///   - generation: Its generation.
  init(_ record: JournalRecord, generation: UInt64) {
    self.record = record
    self.generation = generation
  }

  /// A record to write, and its place in the file.
  struct Write {
    let record: JournalRecord
    let generation: UInt64
    let bytes: [UInt8]

    init(_ record: JournalRecord, generation: UInt64) {
      self.record = record
      self.generation = generation
      bytes = JournalSlot.encode(record, generation: generation)
    }

    /// The offset in the file.
    var offset: Int { JournalSlot.index(of: generation) * JournalSlot.size }
  }

  func write(of record: JournalRecord) -> Write {
    Write(record, generation: generation + 1)
  }

  /// Takes note that a record is in the file and durable.
  mutating func didWrite(_ write: Write) {
    record = write.record
    generation = write.generation
    isFailing = false
  }

  /// Takes note that a record is not in the file, or may not be.
  ///
  /// The next write goes to the same slot. Its record begins as a copy of this one.
  ///
  /// - Returns: Whether it is the first failure after a success.
  mutating func didFail(toWrite record: JournalRecord) -> Bool {
    self.record = record
    defer { isFailing = true }
    return !isFailing
  }

  mutating func didLock() { isLocked = true }

  mutating func didUnlock() { isLocked = false }

  mutating func busDidEnd() { hasBusEnded = true }

  // MARK: The first writes

  /// Returns the write of the first record of a new file.
  static func firstWrite(of record: JournalRecord) -> Write {
    Write(record, generation: 1)
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
  /// the same record.
  ///
  /// Each must be made durable before the next.
  ///
  /// Their generations are so far ahead that neither anything left from before nor a mixture of the
  /// bytes looks like a neighbor: the lowest byte is far from that of `generation`.
  ///
  /// - Parameter generation: The highest generation that is readable.
  static func repair(_ record: JournalRecord, after generation: UInt64) -> [Write] {
    let first = (generation + (1 << 20) + (1 << 7)) | 1
    return [Write(record, generation: first), Write(record, generation: first + 1)]
  }
}
