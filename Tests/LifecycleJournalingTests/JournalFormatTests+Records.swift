import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleJournaling

/// The bytes of a record, apart from the slot that it is in.
extension JournalFormatTests {
  @Test("Records are read as they were written", arguments: LifecyclePhase.allCases)
  func roundTrip(_ phase: LifecyclePhase) {
    for size in [nil, 0, 1, 3_000] {
      var record = JournalRecord.sample(-5, phase: phase, valueSize: size)
      expectNoDifference(JournalRecord(decoding: record.encoded[...]), record)
      record.hasEnded = true
      record.boot = nil
      expectNoDifference(JournalRecord(decoding: record.encoded[...]), record)
      record.boot = BootID(rawValue: "")
      expectNoDifference(JournalRecord(decoding: record.encoded[...]), record)
    }
  }

  @Test("Bytes that are no record are none, whatever they are")
  func malformedRecords() {
    let bytes = JournalRecord.sample(5, valueSize: 5).encoded
    for count in 0..<bytes.count {
      expectNoDifference(JournalRecord(decoding: bytes.prefix(count)), nil)
    }
    expectNoDifference(JournalRecord(decoding: (bytes + [0])[...]), nil)
    // Anything may be in a file with the right checksum.
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var changed = bytes
      changed[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255)
      _ = JournalRecord(decoding: changed[...])
    }
    let unreadable = JournalRecord(decoding: [9][...])
    expectNoDifference(unreadable, nil)
  }

  @Test("A duration that no record is written with makes no record", arguments: [1, -1])
  func durationBeyondThoseThatAreWritten(_ sign: Int64) {
    var record = JournalRecord.sample(5)
    record.signOfLife.timeAwake = .seconds(sign * .max)
    let bytes = record.encoded
    expectNoDifference(JournalRecord(decoding: bytes[...]), record)
    // The attoseconds follow the seconds, after the phase, the end and the time since boot.
    let attoseconds = 2 + 16 + 8
    var changed = bytes
    withUnsafeBytes(of: sign.littleEndian) {
      changed.replaceSubrange(attoseconds..<attoseconds + 8, with: $0)
    }
    expectNoDifference(JournalRecord(decoding: changed[...]), nil)
  }

  @Test("The longest boot and the most values fit into a slot together")
  func longestBootAndMostValuesFitIntoSlot() {
    var record = JournalRecord.sample(1)
    record.boot = BootID(rawValue: String(repeating: "b", count: 255))
    let room = record.values.room(forKey: "k", capacity: JournalRecord.valueCapacity)
    record.values = record.values.setting(
      [UInt8](repeating: 1, count: room),
      forKey: "k",
      capacity: JournalRecord.valueCapacity
    )!
    let write = JournalMachine.firstWrite(of: record)
    expectNoDifference(write.bytes.count, 4096)
    expectNoDifference(
      JournalContents(Self.file(write), size: 8192),
      .record(record, generation: 1)
    )
  }
}
