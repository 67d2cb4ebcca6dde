import CustomDump
import Testing

@testable import LifecycleJournaling

/// What is wrong with a record, and what is said of it.
extension JournalFormatTests {
  private static let (older, newer) = (
    JournalMachine.Write(.sample(1), generation: 5), JournalMachine.Write(.sample(2), generation: 6)
  )

  @Test("A length that contradicts itself is a wrong length", arguments: 8..<12)
  func wrongLength(_ position: Int) {
    var bytes = Self.file(Self.older, Self.newer)
    bytes[4096 + position] ^= 0x10
    expectNoDifference(
      JournalContents(bytes, size: 8192),
      Self.damaged(4096 + 8, .wrongLength, Self.older)
    )
  }

  @Test("Bytes that make no sense are unreadable, although their checksum is right")
  func unreadableContent() {
    var payload = JournalRecord.sample(2).encoded
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

  @Test("Each problem is described, with what was expected")
  func descriptionsOfProblems() {
    let problems: [LifecycleJournal.Damage.Problem] = [
      .noRecord, .otherVersion(3), .wrongLength, .wrongGeneration, .wrongChecksum,
      .unreadableContent, .wrongSize(12),
    ]
    expectNoDifference(
      problems.map(\.description),
      [
        "a journal record was expected but not found",
        """
        the record has version 3 of the format instead of 1, so another version of this library \
        wrote it
        """,
        "the length of the record is not valid",
        "the number of the record is not the expected one",
        "the checksum is wrong, so the record has changed since it was written",
        "the record does not contain a phase, an instant, a boot, a process, and values",
        "the file has 12 bytes instead of 8192",
      ]
    )
  }
}
