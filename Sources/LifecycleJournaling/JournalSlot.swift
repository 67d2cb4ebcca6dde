/// One of the two places for an entry in a journal's file, and the format of an entry there:
///
/// ```text
/// offset  bytes
///      0      7  mark
///      7      1  version of the format
///      8      4  length of the payload, and the same inverted
///     12      8  generation: the number of the entry
///     20      n  payload
///   20+n      4  CRC-32C of all that
///   24+n      8  generation
/// ```
///
/// An interrupted write leaves the beginning of an entry over the previous content. The part that
/// was not written yet distinguishes it from an entry that was damaged later: mostly the generation
/// at the end.
enum JournalSlot {
  static let size = 4096
  static let fileSize = 2 * size
  static let payloadCapacity = size - headerSize - trailerSize
  static let version: UInt8 = 1

  private static let mark: [UInt8] = [0x89] + Array("RLJRNL".utf8)
  private static let opening = mark + [version]
  private static let lengthOffset = 8
  private static let generationOffset = 12
  static let headerSize = 20
  private static let trailerSize = 12

  /// The highest generation that is accepted, so that counting on does not overflow.
  private static let lastGeneration: UInt64 = 1 << 62

  /// The content of a slot.
  enum Content: Hashable {
    /// All zeros: nothing was ever written.
    case blank
    /// An entry whose checksum is right.
    ///
    /// It is complete, whatever follows its checksum.
    case whole(generation: UInt64, JournalEntry)
    case broken(Flaw)
  }

  /// A problem, and its offset in the slot.
  struct Flaw: Hashable {
    var offset: Int
    var problem: LifecycleJournal.Damage.Problem
  }

  /// Returns the slot that a generation belongs to.
  ///
  /// Generations alternate, from slot 0 on.
  static func index(of generation: UInt64) -> Int { generation % 2 == 1 ? 0 : 1 }

  static func encode(_ entry: JournalEntry, generation: UInt64) -> [UInt8] {
    // The length precedes the payload.
    let payload = entry.encoded
    let length = UInt16(payload.count)
    var writer = ByteWriter(capacity: headerSize + payload.count + trailerSize)
    writer.append(opening)
    writer.append(length)
    writer.append(~length)
    writer.append(generation)
    writer.append(payload)
    writer.append(Checksum.crc32c(writer.bytes))
    writer.append(generation)
    return writer.bytes
  }

  /// Decodes the content of a slot.
  ///
  /// - Parameter bytes: The slot, or the part of it that exists.
  static func decode(_ bytes: ArraySlice<UInt8>) -> Content {
    if bytes.allSatisfy({ $0 == 0 }) { return .blank }
    func broken(_ offset: Int, _ problem: LifecycleJournal.Damage.Problem) -> Content {
      .broken(Flaw(offset: offset, problem: problem))
    }
    guard bytes.starts(with: mark) else { return broken(0, .noEntry) }
    let version = bytes.dropFirst(mark.count).first
    if version != Self.version {
      return broken(mark.count, version.map { .otherVersion(Int($0)) } ?? .noEntry)
    }
    guard let length = length(in: bytes) else { return broken(lengthOffset, .wrongLength) }
    let end = headerSize + length
    guard let generation = generation(in: bytes, at: generationOffset),
      (1...lastGeneration).contains(generation)
    else { return broken(generationOffset, .wrongGeneration) }
    var trailer = ByteReader(bytes.dropFirst(end))
    guard let checksum = trailer.integer(UInt32.self),
      checksum == Checksum.crc32c(bytes.prefix(end))
    else { return broken(end, .wrongChecksum) }
    let payload = bytes.dropFirst(headerSize).prefix(length)
    guard let entry = JournalEntry(decoding: payload) else {
      return broken(headerSize, .unreadableContent)
    }
    return .whole(generation: generation, entry)
  }

  /// Returns a Boolean value that indicates whether an interrupted write of generation `new` can
  /// leave these bytes.
  ///
  /// - Parameters:
  ///   - bytes: A whole slot that holds no whole entry.
  ///   - new: The generation that follows the other slot's.
  ///   - old: The generation that was in the slot before; nil if it was blank.
  static func isTorn(_ bytes: ArraySlice<UInt8>, new: UInt64, old: UInt64?) -> Bool {
    guard bytes.starts(with: opening) else {
      return old == nil && isCutOffInOpening(bytes)
    }
    guard let lead = generation(in: bytes, at: generationOffset) else { return false }
    // The halves of the length differ if the write was interrupted between them. This also holds
    // for a write that was retried over the remains of another.
    let lengths = lengths(in: bytes)
    let trails = lengths.map { generation(in: bytes, at: headerSize + $0 + 4) }
    if lead == new { return !trails.isEmpty && !trails.contains(new) }
    guard let old else { return bytes.dropFirst(generationOffset).allSatisfy { $0 == 0 } }
    // An entry of the new generation whose leading generation was changed ends with the new one.
    if lead == old {
      return length(in: bytes) == nil || !trails.contains(old) && !trails.contains(new)
    }
    return !trails.isEmpty && !trails.contains(new) && isMix(lead, of: new, over: old)
  }

  private static func isCutOffInOpening(_ bytes: ArraySlice<UInt8>) -> Bool {
    let written = zip(bytes, opening).prefix { $0 == $1 }.count
    return bytes.dropFirst(written).allSatisfy { $0 == 0 }
  }

  /// Returns a Boolean value that indicates whether the first bytes are those of the new number,
  /// and the rest those of the old one.
  private static func isMix(_ number: UInt64, of new: UInt64, over old: UInt64) -> Bool {
    (1..<8).contains { count in
      let mask = (1 as UInt64) << (8 * UInt64(count)) - 1
      return number == new & mask | old & ~mask
    }
  }

  /// Returns the length of the payload; nil if the two halves contradict each other, or if the
  /// entry would not fit into the slot.
  private static func length(in bytes: ArraySlice<UInt8>) -> Int? {
    let lengths = lengths(in: bytes)
    return lengths.count == 2 && lengths[0] == lengths[1] ? lengths[0] : nil
  }

  /// Returns the lengths in the two halves, without those that would not fit into the slot.
  private static func lengths(in bytes: ArraySlice<UInt8>) -> [Int] {
    var reader = ByteReader(bytes.dropFirst(lengthOffset))
    guard let length = reader.integer(UInt16.self), let inverted = reader.integer(UInt16.self)
    else { return [] }
    return [Int(length), Int(~inverted)].filter { $0 <= payloadCapacity }
  }

  private static func generation(in bytes: ArraySlice<UInt8>, at offset: Int) -> UInt64? {
    var reader = ByteReader(bytes.dropFirst(offset))
    return reader.integer()
  }
}

/// The content of a journal's file, determined from its bytes.
enum JournalContents: Hashable {
  /// Nothing was recorded yet.
  case nothing
  /// The newest entry, and its generation.
  case entry(JournalEntry, generation: UInt64)
  /// Content that an interrupted write can't leave.
  ///
  /// - Parameters:
  ///   - offset: The offset in the file.
  ///   - readable: The newest entry that is whole.
  case damaged(
    offset: Int,
    LifecycleJournal.Damage.Problem,
    readable: JournalEntry?,
    generation: UInt64
  )

  /// Determines the content from the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The file, or its first 8192 bytes if it is longer.
  ///   - size: The size of the file.
  init(_ bytes: [UInt8], size: Int) {
    guard size > 0 else {
      self = .nothing
      return
    }
    let halves = [bytes.prefix(JournalSlot.size), bytes.dropFirst(JournalSlot.size)]
    let slots = halves.map(JournalSlot.decode)
    guard size == JournalSlot.fileSize else {
      self = Self.damage(ofSize: size, slots)
      return
    }
    self = Self.judge(slots[0], slots[1], halves)
  }

  private static func judge(
    _ first: JournalSlot.Content,
    _ second: JournalSlot.Content,
    _ halves: [ArraySlice<UInt8>]
  ) -> Self {
    switch (first, second) {
    case (.blank, .blank):
      return .nothing
    case (.whole(let left, let leftEntry), .whole(let right, let rightEntry)):
      let isLeft = left > right
      guard JournalSlot.index(of: left) == 0, JournalSlot.index(of: right) == 1,
        max(left, right) - min(left, right) == 1
      else {
        return damage([first, second], at: (isLeft ? JournalSlot.size : 0) + 12, .wrongGeneration)
      }
      return .entry(isLeft ? leftEntry : rightEntry, generation: max(left, right))
    case (.whole(1, let entry), .blank):
      return .entry(entry, generation: 1)
    case (.broken, .blank) where JournalSlot.isTorn(halves[0], new: 1, old: nil):
      return .nothing
    case (.whole(let generation, let entry), .broken)
    where isRest(halves[1], in: 1, beside: generation):
      return .entry(entry, generation: generation)
    case (.broken, .whole(let generation, let entry))
    where isRest(halves[0], in: 0, beside: generation):
      return .entry(entry, generation: generation)
    default:
      return damage([first, second])
    }
  }

  /// Returns a Boolean value that indicates whether a slot holds the remains of a write that was
  /// interrupted after the other slot's entry.
  private static func isRest(
    _ half: ArraySlice<UInt8>,
    in slot: Int,
    beside generation: UInt64
  ) -> Bool {
    JournalSlot.index(of: generation) == 1 - slot
      && JournalSlot.isTorn(
        half,
        new: generation + 1,
        old: generation == 1 ? nil : generation - 1
      )
  }

  // MARK: Damage

  private static func damage(ofSize size: Int, _ slots: [JournalSlot.Content]) -> Self {
    // A file that does not even begin like a journal is another program's; its size is irrelevant.
    if slots.allSatisfy({ $0.isForeign }) { return damage(slots, at: 0, .noEntry) }
    return damage(slots, at: min(size, JournalSlot.fileSize), .wrongSize(size))
  }

  private static func damage(_ slots: [JournalSlot.Content]) -> Self {
    for (index, slot) in slots.enumerated() {
      if case .broken(let flaw) = slot {
        return damage(slots, at: index * JournalSlot.size + flaw.offset, flaw.problem)
      }
    }
    let blank = slots.firstIndex(of: .blank) ?? 0
    return damage(slots, at: blank * JournalSlot.size, .noEntry)
  }

  private static func damage(
    _ slots: [JournalSlot.Content],
    at offset: Int,
    _ problem: LifecycleJournal.Damage.Problem
  ) -> Self {
    var newest: (generation: UInt64, entry: JournalEntry)?
    for case .whole(let generation, let entry) in slots
    where generation > newest?.generation ?? 0 {
      newest = (generation, entry)
    }
    return .damaged(
      offset: offset,
      problem,
      readable: newest?.entry,
      generation: newest?.generation ?? 0
    )
  }
}

extension JournalSlot.Content {
  /// A Boolean value that indicates whether the slot has no trace of an entry.
  fileprivate var isForeign: Bool {
    switch self {
    case .blank: true
    case .whole: false
    case .broken(let flaw): flaw.problem == .noEntry
    }
  }
}
