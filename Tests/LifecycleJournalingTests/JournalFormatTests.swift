import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleJournaling

/// The bytes of a journal: what is read from those that a cut-off write leaves, and from damaged
/// ones.
@Suite("Journal: torn and damaged bytes")
struct JournalFormatTests {
  /// A file and the write that comes next.
  private struct Step {
    let before: [UInt8]
    let old: JournalContents
    let write: JournalMachine.Write

    var after: [UInt8] { torn(at: write.bytes.count) }

    /// The file when the write was cut off after so many bytes.
    func torn(at count: Int) -> [UInt8] {
      var bytes = before
      bytes.replaceSubrange(write.offset..<(write.offset + count), with: write.bytes.prefix(count))
      return bytes
    }

    var new: JournalContents { .entry(write.entry, generation: write.generation) }
  }

  static let blank = [UInt8](repeating: 0, count: JournalSlot.fileSize)

  /// Writes of entries of different lengths, from an empty file on, or around a generation at which
  /// several bytes change.
  private static func steps(around generation: UInt64? = nil) -> [Step] {
    let sizes = [nil, 40, 3, 3, nil, 90, 0, 17]
    let phases = LifecyclePhase.allCases
    let entries = sizes.enumerated().map { index, size in
      JournalEntry.sample(index + 1, phase: phases[index % phases.count], valueSize: size)
    }
    var bytes = blank
    var steps: [Step] = []
    func take(_ write: JournalMachine.Write) {
      steps.append(
        Step(before: bytes, old: JournalContents(bytes, size: bytes.count), write: write)
      )
      bytes = steps[steps.count - 1].after
    }
    guard let generation else {
      take(JournalMachine.firstWrite(of: entries[0]))
      var machine = JournalMachine(entries[0], generation: 1)
      for entry in entries.dropFirst() {
        let write = machine.write(of: entry)
        take(write)
        machine.didWrite(write)
      }
      return steps
    }
    for (index, entry) in entries.enumerated() {
      take(JournalMachine.Write(entry, generation: generation - 4 + UInt64(index)))
    }
    return Array(steps.dropFirst(2))
  }

  private static let starts: [UInt64?] = [nil, 0x100, 0x1_0000, 0x1_0000_0000]

  @Test(
    "A write that is cut off at any byte leaves the earlier entry, without damage",
    arguments: starts
  )
  func tornWriteLeavesTheEarlierRecord(around start: UInt64?) {
    for (number, step) in Self.steps(around: start).enumerated() {
      let count = step.write.bytes.count
      for cut in 0...count {
        let bytes = step.torn(at: cut)
        let contents = JournalContents(bytes, size: bytes.count)
        if bytes == step.after {
          guard contents == step.new else { return problem("whole", number, cut, contents) }
        } else if bytes[step.write.offset...].starts(with: step.write.bytes.dropLast(8)) {
          // All but the end of the end: the checksum shows that all of it is there.
          guard contents == step.new else {
            return problem("nearly whole", number, cut, contents)
          }
        } else if contents != step.old {
          return problem("torn", number, cut, contents)
        }
        expectNextWriteIsRead(bytes, contents, number, cut)
      }
    }
  }

  /// What is written after a cut-off write is read again.
  private func expectNextWriteIsRead(
    _ bytes: [UInt8],
    _ contents: JournalContents,
    _ number: Int,
    _ cut: Int
  ) {
    let next: JournalMachine.Write
    switch contents {
    case .nothing: next = JournalMachine.firstWrite(of: .sample(77))
    case .entry(let entry, let generation):
      next = JournalMachine(entry, generation: generation).write(of: .sample(77))
    case .damaged: return
    }
    let step = Step(before: bytes, old: contents, write: next)
    // That may be cut off, too: here at one byte of its head, over all cuts at each.
    for again in [cut % 20, 40, next.bytes.count - 9] {
      let torn = step.torn(at: again)
      let read = JournalContents(torn, size: torn.count)
      if read != contents { return problem("torn again at \(again)", number, cut, read) }
    }
    let later = step.after
    let read = JournalContents(later, size: later.count)
    if read != .entry(.sample(77), generation: next.generation) {
      problem("after", number, cut, read)
    }
  }

  private func problem(_ what: String, _ step: Int, _ cut: Int, _ contents: JournalContents) {
    var text = ""
    customDump(contents, to: &text)
    Issue.record("\(what), step \(step), byte \(cut): \(text)")
  }

  /// A flipped bit of the older entry's length or leading generation looks like the beginning of a
  /// write that was cut off. Of an entry's end it changes nothing: all before is there.
  @Test(
    "A changed byte is reported as damage, or does not change the entry that is read",
    arguments: starts
  )
  func changedByteIsDamage(around start: UInt64?) {
    for (number, step) in Self.steps(around: start).enumerated() {
      let newest = step.write
      let older = 4096 - newest.offset
      let olderEnd = older + Self.usedCount(step.after, at: older)
      let newestEnd = newest.offset + newest.bytes.count
      let used = Array(newest.offset..<newestEnd) + Array(older..<olderEnd)
      for position in used {
        // Every bit once; around other numbers, those that change several of their bytes.
        let patterns: [UInt8] = start == nil ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1, 255]
        for pattern in patterns {
          var bytes = step.after
          bytes[position] ^= pattern
          let contents = JournalContents(bytes, size: bytes.count)
          switch contents {
          case .damaged: continue
          case .entry(newest.entry, newest.generation)
          where (older + 8..<older + 20).contains(position)
            || (olderEnd - 8..<olderEnd).contains(position)
            || (newestEnd - 8..<newestEnd).contains(position):
            continue
          default: return problem("flipped by \(pattern)", number, position, contents)
          }
        }
      }
    }
  }

  /// A drive writes at least the place of the number at once.
  @Test(
    "An entry of which only the end was written is damage, or cut off if it is longer than the old one",
    arguments: starts
  )
  func endAloneLeavesTheEarlierRecord(around start: UInt64?) {
    var (damageCount, cutOffCount) = (0, 0)
    for (number, step) in Self.steps(around: start).enumerated() {
      let (offset, count) = (step.write.offset, step.write.bytes.count)
      let replaced = Self.usedCount(step.before, at: offset)
      guard replaced > 0, case .entry(let entry, let generation) = step.old else { continue }
      for lost in JournalSlot.headerSize..<count - 8 {
        var bytes = step.before
        let end = step.write.bytes.dropFirst(lost)
        bytes.replaceSubrange(offset + lost..<offset + count, with: end)
        let contents = JournalContents(bytes, size: bytes.count)
        switch contents {
        case .damaged(_, _, readable: entry, generation: generation) where count <= replaced:
          damageCount += 1
        case step.old where count > replaced: cutOffCount += 1
        default: return problem("end after \(lost) of \(count)", number, replaced, contents)
        }
      }
    }
    #expect(damageCount > 100 && cutOffCount > 100)
  }

  private static func usedCount(_ bytes: [UInt8], at offset: Int) -> Int {
    let length = Int(bytes[offset + 8]) | Int(bytes[offset + 9]) << 8
    return bytes[offset] == 0 ? 0 : 32 + length
  }

  @Test("A file of another length is damaged, and its complete entries are read")
  func fileOfAnotherLengthIsDamaged() {
    let steps = Self.steps()
    let (previous, last) = (steps[steps.count - 2], steps[steps.count - 1])
    for size in 1...8193 where size != 8192 {
      // The newest entry is in the second slot.
      let readable = [previous.write, last.write].last {
        size >= $0.offset + $0.bytes.count - 8
      }
      let (offset, problem): (Int, LifecycleJournal.Damage.Problem) =
        size < 8 ? (0, .noEntry) : (min(size, 8192), .wrongSize(size))
      let contents = JournalContents(Array(last.after.prefix(size)), size: size)
      guard contents == Self.damaged(offset, problem, readable) else {
        return self.problem("cut", 0, size, contents)
      }
    }
  }

  static func damaged(
    _ offset: Int,
    _ problem: LifecycleJournal.Damage.Problem,
    _ readable: JournalMachine.Write? = nil
  ) -> JournalContents {
    .damaged(
      offset: offset,
      problem,
      readable: readable?.entry,
      generation: readable?.generation ?? 0
    )
  }

  static func file(_ writes: JournalMachine.Write...) -> [UInt8] {
    writes.reduce(blank) { Step(before: $0, old: .nothing, write: $1).after }
  }

  @Test("Two entries whose numbers do not follow each other are damage")
  func implausibleGenerations() {
    let (first, second) = (JournalEntry.sample(1), JournalEntry.sample(2))
    let three = JournalMachine.Write(first, generation: 3)
    let six = JournalMachine.Write(second, generation: 6)
    let pair = Self.file(three, six)
    expectNoDifference(JournalContents(pair, size: 8192), Self.damaged(12, .wrongGeneration, six))
    // The right neighbours in the wrong slots.
    let swapped = Array(Self.file(.init(first, generation: 5), six))
    expectNoDifference(
      JournalContents(Array(swapped[4096...] + swapped[..<4096]), size: 8192),
      Self.damaged(4108, .wrongGeneration, six)
    )
    // A slot that was lost.
    expectNoDifference(JournalContents(Self.file(six), size: 8192), Self.damaged(0, .noEntry, six))
    // Numbers that can't be counted on from.
    let last = JournalMachine.Write(first, generation: .max)
    expectNoDifference(
      JournalContents(Self.file(last), size: 8192),
      Self.damaged(12, .wrongGeneration)
    )
  }

  @Test("An entry of another version of the format is reported with its version")
  func otherVersion() {
    var bytes = Self.file(.init(.sample(1), generation: 1))
    bytes[7] = 2
    expectNoDifference(JournalContents(bytes, size: 8192), Self.damaged(7, .otherVersion(2)))
  }

  @Test(
    "A repair that is cut off at any byte leaves a file that is seen to be damaged",
    arguments: [0, 5, 6]
  )
  func damageIsSeenWhileFileIsRepaired(of slot: Int) {
    let old = Self.file(.init(.sample(1), generation: 5), .init(.sample(2), generation: 6))
    var bytes = old
    bytes[slot == 6 ? 4096 + 50 : 50] ^= 1
    if slot == 0 { bytes[4096 + 50] ^= 1 }
    guard case .damaged(_, _, _, let generation) = JournalContents(bytes, size: 8192) else {
      return problem("not damaged", 0, 0, JournalContents(bytes, size: 8192))
    }
    for cut in 0...20 {
      var torn = bytes
      torn.replaceSubrange(..<cut, with: JournalMachine.invalidation.prefix(cut))
      guard case .damaged = JournalContents(torn, size: 8192) else {
        return problem("invalidation", slot, cut, JournalContents(torn, size: 8192))
      }
      if cut == 20 { bytes = torn }
    }
    let writes = JournalMachine.repair(.sample(9), after: generation)
    for (index, write) in writes.enumerated() {
      // The rest of the slot is written too.
      let whole = write.bytes + [UInt8](repeating: 0, count: 4096 - write.bytes.count)
      // Behind the entry there are only zeros.
      let count = write.bytes.count
      for cut in Array(0...count) + stride(from: count, through: 4096, by: 100) + [4096] {
        var torn = bytes
        torn.replaceSubrange(write.offset..<(write.offset + cut), with: whole.prefix(cut))
        let contents = JournalContents(torn, size: 8192)
        let isDone = index == 1 && cut > count - 8
        switch contents {
        case .damaged where !isDone: continue
        case .entry(.sample(9), _) where index == 1: continue
        default: return problem("repair \(index)", slot, cut, contents)
        }
      }
      bytes.replaceSubrange(write.offset..<(write.offset + 4096), with: whole)
    }
    expectNoDifference(
      JournalContents(bytes, size: 8192),
      .entry(.sample(9), generation: writes[1].generation)
    )
  }

  @Test("The checksum is CRC-32C")
  func checksumIsCRC32C() {
    expectNoDifference(Checksum.crc32c("123456789".utf8), 0xe306_9283)
    expectNoDifference(Checksum.crc32c([]), 0)
  }

  private static let (older, newer) = (
    JournalMachine.Write(.sample(1), generation: 5), JournalMachine.Write(.sample(2), generation: 6)
  )

  @Test("An entry whose two lengths differ is reported as a wrong length")
  func wrongLength() {
    for position in 8..<12 {
      var bytes = Self.file(Self.older, Self.newer)
      bytes[4096 + position] ^= 0x10
      expectNoDifference(
        JournalContents(bytes, size: 8192),
        Self.damaged(4096 + 8, .wrongLength, Self.older)
      )
    }
  }

  @Test("An entry with an unknown phase and a right checksum is reported as unreadable")
  func unreadableContent() {
    var payload = JournalEntry.sample(2).encoded
    // There is no such phase.
    payload[0] = 9
    var writer = ByteWriter(capacity: JournalSlot.size)
    writer.append(Array(Self.newer.bytes.prefix(JournalSlot.headerSize)))
    writer.append(payload)
    writer.append(Checksum.crc32c(writer.bytes))
    writer.append(6 as UInt64)
    var bytes = Self.file(Self.older, Self.newer)
    bytes.replaceSubrange(4096..<4096 + writer.bytes.count, with: writer.bytes)
    expectNoDifference(
      JournalContents(bytes, size: 8192),
      Self.damaged(4096 + JournalSlot.headerSize, .unreadableContent, Self.older)
    )
  }

  @Test("An entry is decoded as it was encoded", arguments: LifecyclePhase.allCases)
  func roundTrip(_ phase: LifecyclePhase) {
    for size in [nil, 0, 1, 3_000] {
      var entry = JournalEntry.sample(-5, phase: phase, valueSize: size)
      expectNoDifference(JournalEntry(decoding: entry.encoded[...]), entry)
      entry.hasEnded = true
      entry.boot = nil
      expectNoDifference(JournalEntry(decoding: entry.encoded[...]), entry)
      entry.boot = BootID(rawValue: "")
      expectNoDifference(JournalEntry(decoding: entry.encoded[...]), entry)
    }
  }

  @Test("Entries of earlier versions of the library have no version, and no launch")
  func earlierEntry() {
    let bytes: [UInt8] =
      [2, 0] + [UInt8](repeating: 0, count: 48) + [1, 1, 0, 0x62] + [7, 0, 0, 0]
      + [3, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 1, 0, 0x6B, 1, 0, 0x31]
    var entry = JournalEntry(
      phase: .background,
      signOfLife: LifecycleInstant([.zero, .zero, .zero]),
      boot: BootID(rawValue: "b"),
      processID: 7,
      run: 3
    )
    entry.isLaunching = false
    entry.values = entry.values.setting([("k", [0x31])], capacity: 100).values
    expectNoDifference(JournalEntry(decoding: bytes[...]), entry)
    let next = entry.previousRun(at: entry.signOfLife, boot: entry.boot, version: "1")
    expectNoDifference(next.exit, .killedInBackground)
  }

  @Test("Malformed bytes are decoded to no entry, and do not trap")
  func malformedRecords() {
    let bytes = JournalEntry.sample(5, valueSize: 5).encoded
    for count in 0..<bytes.count {
      let entry = JournalEntry(decoding: bytes.prefix(count))
      // Without its last two fields, it is an entry of an earlier version of the library.
      let isEarlier = count == bytes.count - 1 - 2 - "1.2.3".utf8.count
      #expect((entry != nil) == isEarlier, "\(count) bytes")
    }
    expectNoDifference(JournalEntry(decoding: (bytes + [0])[...]), nil)
    // Anything may be in a file with the right checksum: no number that does not fit traps.
    for position in bytes.indices {
      var changed = bytes
      changed[position] = 0xFF
      _ = JournalEntry(decoding: changed[...])
    }
  }
}
