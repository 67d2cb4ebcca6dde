import LifecycleCore
import LifecycleTesting

@testable import LifecycleJournaling

extension FuzzTarget {
  /// A journal's file: the bytes after the first one, whose bits say which parts are repaired, as
  /// no search finds a checksum.
  static let journal = FuzzTarget("journal") { bytes in
    guard let choices = bytes.first else { return nil }
    var file = Array(bytes.dropFirst())
    if choices & 1 != 0 {
      file = Array(file.prefix(JournalSlot.fileSize))
      file += [UInt8](repeating: 0, count: JournalSlot.fileSize - file.count)
    }
    for slot in 0...1 where choices & (2 << UInt8(slot)) != 0 {
      repair(&file, slot * JournalSlot.size)
    }
    let contents = JournalContents(Array(file.prefix(JournalSlot.fileSize)), size: file.count)
    switch contents {
    case .nothing:
      break
    case .entry(let entry, let generation):
      let encoded = JournalSlot.encode(entry, generation: generation)
      guard case .whole(generation, entry) = JournalSlot.decode(encoded[...]) else {
        return "another entry when read again"
      }
    case .damaged(let offset, _, _, _):
      guard (0...JournalSlot.fileSize).contains(offset) else { return "damage at \(offset)" }
    }
    return openingFault(file, contents)
  }

  /// Opens the file as the next run of a program does, and again as the one after that.
  private static func openingFault(_ file: [UInt8], _ contents: JournalContents) -> String? {
    let files = InMemoryFileSystem()
    files.setContents(file, of: "/state")
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    do {
      let journal = try LifecycleJournal(at: "/state", of: bus, fileSystem: .inMemory(files))
      let isDamaged = if case .damaged = contents { true } else { false }
      guard (journal.previousRun.damage != nil) == isDamaged else {
        return "the report of damage is \(journal.previousRun.damage as Any)"
      }
      if let away = journal.previousRun.timeAway, away < .zero { return "away \(away)" }
      bus.send(.didBecomeActive)
    } catch {
      return "can't be opened: \(error)"
    }
    do {
      let later = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: "/state", of: later, fileSystem: .inMemory(files))
      return journal.previousRun.damage.map { "damage after a run: \($0)" }
    } catch {
      return "can't be opened after a run: \(error)"
    }
  }

  /// Completes an entry at an offset: its length, its checksum, and its generation at the end.
  private static func repair(_ file: inout [UInt8], _ start: Int) {
    let mark = [0x89] + Array("RLJRNL".utf8) + [JournalSlot.version]
    guard file.count >= start + JournalSlot.size else { return }
    file.replaceSubrange(start..<start + mark.count, with: mark)
    let length = (Int(file[start + 8]) | Int(file[start + 9]) << 8) % JournalSlot.payloadCapacity
    for (index, byte) in [length, length >> 8].enumerated() {
      file[start + 8 + index] = UInt8(truncatingIfNeeded: byte)
      file[start + 10 + index] = ~UInt8(truncatingIfNeeded: byte)
    }
    let end = start + JournalSlot.headerSize + length
    let checksum = Checksum.crc32c(file[start..<end])
    for index in 0..<4 {
      file[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index))
    }
    file.replaceSubrange(end + 4..<end + 12, with: file[start + 12..<start + 20])
  }
}
