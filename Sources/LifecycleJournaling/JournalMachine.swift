/// Which bytes of a journal's file are written next. Pure: the shell writes them and says what
/// became of that.
///
/// The slot that does not hold the newest record is written, so that this one stays readable
/// whatever happens meanwhile.
struct JournalMachine: Sendable {
  /// The newest record: it is in the file, unless its write has failed.
  private(set) var record: JournalRecord
  private(set) var generation: UInt64
  private var isFailing = false
  /// Whether the file is locked.
  private(set) var isLocked = true
  private(set) var hasBusEnded = false

  /// - Parameters:
  ///   - record: The newest record that is in the file.
  ///   - generation: Its generation.
  init(_ record: JournalRecord, generation: UInt64) {
    self.record = record
    self.generation = generation
  }

  /// What is to be written.
  struct Write {
    let record: JournalRecord
    let generation: UInt64
    let bytes: [UInt8]

    init(_ record: JournalRecord, generation: UInt64) {
      self.record = record
      self.generation = generation
      bytes = JournalSlot.encode(record, generation: generation)
    }

    /// Where in the file.
    var offset: Int { JournalSlot.index(of: generation) * JournalSlot.size }
  }

  func write(of record: JournalRecord) -> Write {
    Write(record, generation: generation + 1)
  }

  /// It is in the file, and will stay there.
  mutating func didWrite(_ write: Write) {
    record = write.record
    generation = write.generation
    isFailing = false
  }

  /// It is not, or perhaps not. The next write goes to the same slot, and is made of this record.
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

  /// The first record of a new file.
  static func firstWrite(of record: JournalRecord) -> Write {
    Write(record, generation: 1)
  }

  /// All of a new file: it has its whole size from the beginning, so that later writes need no room
  /// on the disk.
  ///
  /// - Parameter write: The first one.
  static func firstFile(_ write: Write) -> [UInt8] {
    write.bytes + [UInt8](repeating: 0, count: JournalSlot.fileSize - write.bytes.count)
  }

  /// What comes over the beginning of a damaged file first: without its mark, the first slot can't
  /// be taken for the rest of a write that was cut off, whatever part of the following write is in
  /// it.
  static let invalidation = [UInt8](repeating: 0, count: JournalSlot.headerSize)

  /// The writes that make a journal of a damaged file after that, to be made durable one by one:
  /// one for each slot, both of the same record.
  ///
  /// Their generations are so far ahead that nothing left from before looks like a neighbour, nor
  /// does a mixture of the bytes: the lowest one is far from that of the generation.
  ///
  /// - Parameter generation: The highest that is readable.
  static func repair(_ record: JournalRecord, after generation: UInt64) -> [Write] {
    let first = (generation + (1 << 20) + (1 << 7)) | 1
    return [Write(record, generation: first), Write(record, generation: first + 1)]
  }
}
