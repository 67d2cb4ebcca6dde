/// The content of a journal's file, determined from its bytes.
enum JournalContents: Hashable {
  /// Nothing was recorded yet.
  case nothing
  /// The newest record, and its generation.
  case record(JournalRecord, generation: UInt64)
  /// Content that an interrupted write can't leave.
  ///
  /// - Parameters:
  ///   - offset: The offset in the file.
  ///   - readable: The newest record that is whole.
  case damaged(
    offset: Int,
    LifecycleJournal.Damage.Problem,
    readable: JournalRecord?,
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
    case (.whole(let left, let leftRecord), .whole(let right, let rightRecord)):
      let isLeft = left > right
      guard JournalSlot.index(of: left) == 0, JournalSlot.index(of: right) == 1,
        max(left, right) - min(left, right) == 1
      else {
        return damage([first, second], at: (isLeft ? JournalSlot.size : 0) + 12, .wrongGeneration)
      }
      return .record(isLeft ? leftRecord : rightRecord, generation: max(left, right))
    case (.whole(1, let record), .blank):
      return .record(record, generation: 1)
    case (.broken, .blank) where JournalSlot.isTorn(halves[0], new: 1, old: nil):
      return .nothing
    case (.whole(let generation, let record), .broken)
    where isRest(halves[1], in: 1, beside: generation):
      return .record(record, generation: generation)
    case (.broken, .whole(let generation, let record))
    where isRest(halves[0], in: 0, beside: generation):
      return .record(record, generation: generation)
    default:
      return damage([first, second])
    }
  }

  /// Returns a Boolean value that indicates whether a slot holds the remains of a write that was
  /// interrupted after the other slot's record.
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
    if slots.allSatisfy({ $0.isForeign }) { return damage(slots, at: 0, .noRecord) }
    return damage(slots, at: min(size, JournalSlot.fileSize), .wrongSize(size))
  }

  private static func damage(_ slots: [JournalSlot.Content]) -> Self {
    for (index, slot) in slots.enumerated() {
      if case .broken(let flaw) = slot {
        return damage(slots, at: index * JournalSlot.size + flaw.offset, flaw.problem)
      }
    }
    let blank = slots.firstIndex(of: .blank) ?? 0
    return damage(slots, at: blank * JournalSlot.size, .noRecord)
  }

  private static func damage(
    _ slots: [JournalSlot.Content],
    at offset: Int,
    _ problem: LifecycleJournal.Damage.Problem
  ) -> Self {
    var newest: (generation: UInt64, record: JournalRecord)?
    for case .whole(let generation, let record) in slots
    where generation > newest?.generation ?? 0 {
      newest = (generation, record)
    }
    return .damaged(
      offset: offset,
      problem,
      readable: newest?.record,
      generation: newest?.generation ?? 0
    )
  }
}

extension JournalSlot.Content {
  /// A Boolean value that indicates whether the slot has no trace of a record.
  fileprivate var isForeign: Bool {
    switch self {
    case .blank: true
    case .whole: false
    case .broken(let flaw): flaw.problem == .noRecord
    }
  }
}
