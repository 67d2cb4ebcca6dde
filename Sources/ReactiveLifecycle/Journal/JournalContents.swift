/// What is in a journal's file, by its bytes.
enum JournalContents: Hashable {
  /// Nothing was recorded yet.
  case nothing
  /// The newest record, and the generation that is written next less one.
  case record(JournalRecord, generation: UInt64)
  /// Something that no cut-off write leaves.
  ///
  /// - Parameters:
  ///   - offset: Where in the file.
  ///   - readable: The newest record that is whole.
  case damaged(
    offset: Int,
    LifecycleJournal.Damage.Problem,
    readable: JournalRecord?,
    generation: UInt64
  )

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
    case (.whole(let left, _, _), .whole(let right, _, _)):
      return judge([first, second], left, right, halves)
    case (.whole(1, let record, let isClosed), .blank):
      return .record(record, generation: isClosed ? 1 : 0)
    case (.broken, .blank) where JournalSlot.isTorn(halves[0], new: 1, old: nil):
      return .nothing
    case (.whole(let generation, let record, true), .broken)
    where isRest(halves[1], in: 1, beside: generation):
      return .record(record, generation: generation)
    case (.broken, .whole(let generation, let record, true))
    where isRest(halves[0], in: 0, beside: generation):
      return .record(record, generation: generation)
    default:
      return damage([first, second])
    }
  }

  /// Two whole records.
  private static func judge(
    _ slots: [JournalSlot.Content],
    _ left: UInt64,
    _ right: UInt64,
    _ halves: [ArraySlice<UInt8>]
  ) -> Self {
    let newer = left > right ? 0 : 1
    let generations = [left, right]
    guard JournalSlot.index(of: left) == 0, JournalSlot.index(of: right) == 1,
      generations[newer] - generations[1 - newer] == 1
    else { return damage(slots, at: JournalSlot.size * (1 - newer) + 12, .wrongGeneration) }
    // Its end was there when the newer one was begun.
    guard case .whole(_, _, isClosed: true) = slots[1 - newer] else {
      let end = JournalSlot.endOffset(in: halves[1 - newer])
      return damage(slots, at: JournalSlot.size * (1 - newer) + end, .wrongGeneration)
    }
    // One without its end says all that it has to say, but its write was cut off, or the end was
    // changed later: it is written once more.
    guard case .whole(let generation, let record, let isClosed) = slots[newer] else {
      return damage(slots)
    }
    return .record(record, generation: isClosed ? generation : generation - 1)
  }

  /// Whether a slot holds the rest of a write that was cut off after the other slot's record.
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
    // What does not even begin like a journal is another file; its size says nothing.
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
    for case .whole(let generation, let record, _) in slots
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
  /// Whether there is no trace of a record.
  fileprivate var isForeign: Bool {
    switch self {
    case .blank: true
    case .whole: false
    case .broken(let flaw): flaw.problem == .noRecord
    }
  }
}
