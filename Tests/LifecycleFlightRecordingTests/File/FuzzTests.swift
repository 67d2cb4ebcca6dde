import Foundation
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

/// Recordings whose bytes were changed at random.
///
/// `LIFECYCLE_FUZZ=1000000` sets the number of changed files; `LIFECYCLE_SEED` names the one to read.
@Suite("Recording files: random changes")
struct FuzzTests {
  /// What is wrong with the way in which a changed file was read; nil if nothing is.
  ///
  /// There is no success in silence: each line is the head of a recording, or a record, or there is a
  /// report; no record is missing without a report. What was read is written and read again without
  /// a loss.
  private static func fault(_ bytes: [UInt8]) -> String? {
    guard let file = try? FlightFile(parsing: bytes) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { line in
      !line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } && Array(line) != [0xEF, 0xBB, 0xBF]
    }
    let recordCount = file.recordings.reduce(0) { $0 + $1.records.count }
    guard lines.count <= file.recordings.count + recordCount + file.damage.count else {
      return "\(lines.count) lines, \(recordCount) records, \(file.damage)"
    }
    if file.damage.isEmpty, lines.count != file.recordings.count + recordCount {
      return "\(lines.count) lines, \(recordCount) records, no damage"
    }
    if let gap = gap(bytes, file.damage) { return gap }
    guard let again = try? FlightFile(parsing: file.recordings.flatMap(\.jsonLines)) else {
      return "can't be read again"
    }
    guard again.damage.isEmpty else { return "damage when read again: \(again.damage)" }
    return again.recordings == file.recordings ? nil : "another recording when read again"
  }

  private struct Numbers: Decodable {
    var format: String?
    var dropped: Int?
    var number: Int?
  }

  /// A record that is missing and not reported: between two lines that were read, each number must
  /// have a line that was skipped, and that is not one that was there twice.
  private static func gap(_ bytes: [UInt8], _ damage: [FlightFile.Damage]) -> String? {
    let reports = Dictionary(grouping: damage, by: \.line)
    // The number of the next record; nil if a report must come before it.
    var next: Int?
    var skipped = 0
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (line, lineBytes) in zip(1..., lines) {
      let text = lineBytes.starts(with: [0xEF, 0xBB, 0xBF]) ? lineBytes.dropFirst(3) : lineBytes
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      let reasons = reports[line, default: []].map(\.reason)
      if reasons.contains(where: { $0.hasSuffix("is there twice") }) { continue }
      let isKept = reasons.allSatisfy { reason in
        ["was found where record", "the run of this record is unknown", "is of another run"]
          .contains { reason.contains($0) }
      }
      guard isKept else {
        skipped += 1
        continue
      }
      guard let numbers = try? JSONDecoder().decode(Numbers.self, from: Data(text)) else {
        return "line \(line) is neither read nor reported"
      }
      if numbers.format != nil {
        next = numbers.dropped
      } else if let number = numbers.number {
        if reasons.isEmpty, next.map({ !($0...$0 + skipped ~= number) }) ?? true {
          return "line \(line): record \(number) instead of \(next ?? -1), not reported"
        }
        next = number + 1
      }
      skipped = 0
    }
    return nil
  }

  @Test("However a file is changed, nothing traps, and no line is lost in silence")
  func changedFiles() throws {
    let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_FUZZ"].flatMap(UInt64.init)
    var originals = [FlightRecording.sample.jsonLines, FlightRecording.sample.jsonLines]
    originals[1] += FlightRecording.sample.jsonLines
    for seed in 1...30 {
      var random = RandomRecording(seed: UInt64(seed))
      originals.append(random.next(recordCount: 6).jsonLines)
    }
    for original in originals {
      #expect(Self.fault(original) == nil)
      #expect(try FlightFile(parsing: original).damage.isEmpty)
    }
    var (failed, damaged, same) = (0, 0, 0)
    for seed in seeds(chosen ?? 400) {
      var mutator = Mutator(seed: seed)
      let original = originals[Int(seed % 4 == 0 ? seed / 4 % UInt64(originals.count) : seed % 2)]
      let bytes = mutator.mutate(original)
      if let fault = Self.fault(bytes) { Issue.record("seed \(seed): \(fault)") }
      guard let file = try? FlightFile(parsing: bytes) else {
        failed += 1
        continue
      }
      if file.damage.isEmpty { same += 1 } else { damaged += 1 }
    }
    if let chosen {
      print("\(chosen) files: \(failed) errors, \(damaged) with damage, \(same) without")
    }
  }

  @Test("A change of a single byte is noticed, or changes a value, or nothing")
  func singleBytes() throws {
    let original = Array(sampleLines.utf8)
    for place in original.indices {
      var bytes = original
      bytes[place] ^= 1 << UInt8(place % 8)
      guard let file = try? FlightFile(parsing: bytes), file.damage.isEmpty else { continue }
      #expect(file.recordings.map(\.records.count) == [11], "\(place)")
    }
  }
}
