import Foundation
import LifecycleCore
package import LifecycleFlightRecording

extension FlightFile {
  /// Returns what is wrong with the way in which a file was read; nil if nothing is.
  ///
  /// There is no success in silence: each line is the head of a recording, or a record, or there is
  /// a report; no record is missing without a report. What was read is written and read again
  /// without a loss.
  package static func readingFault(in bytes: [UInt8]) -> String? {
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
    if let gap = file.gap(bytes) { return gap }
    if let id = file.recordings.flatMap(\.introducedSources).first(where: { $0 < 1 }) {
      return "source \(id), which is the program"
    }
    guard let again = try? FlightFile(parsing: file.recordings.flatMap(\.jsonLines)) else {
      return "can't be read again"
    }
    guard again.damage.isEmpty else { return "damage when read again: \(again.damage)" }
    return again.recordings == file.recordings ? nil : "another recording when read again"
  }

  /// The field that tells the head of a recording from a record.
  private struct Format: Decodable {
    var format: String?
  }

  private struct HeadNumbers: Decodable {
    var run: String?
    var dropped: Int?
  }

  private struct RecordNumbers: Decodable {
    var run: String?
    var number: Int?
  }

  /// Decodes the fields that a line of this kind has: a value of another one is ignored, even one
  /// like 000.
  private static func fields<Fields: Decodable>(
    _: Fields.Type,
    of line: ArraySlice<UInt8>
  ) -> Fields? {
    try? JSONDecoder().decode(Fields.self, from: Data(line))
  }

  /// A record that is missing and not reported: between two lines that were read, each number must
  /// have a line that was skipped, and that is not one that was there twice. Or a record that is in
  /// the recording of another run.
  private func gap(_ bytes: [UInt8]) -> String? {
    let reports = Dictionary(grouping: damage, by: \.line)
    // The number of the next record; nil if a report must come before it.
    var next: Int?
    var skipped = 0
    var runs: [String?] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (line, lineBytes) in zip(1..., lines) {
      let text = lineBytes.starts(with: [0xEF, 0xBB, 0xBF]) ? lineBytes.dropFirst(3) : lineBytes
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      let reasons = reports[line, default: []].map(\.reason)
      if reasons.contains(where: { $0.hasSuffix("is there twice") }) { continue }
      let begins = ["the line that introduces the run", "is of another run"]
      let isFirst = reasons.contains { reason in begins.contains { reason.contains($0) } }
      guard isFirst || reasons.allSatisfy({ $0.contains("was found where record") }) else {
        skipped += 1
        continue
      }
      let unread = "line \(line) is neither read nor reported"
      guard let format = Self.fields(Format.self, of: text) else { return unread }
      if format.format != nil {
        guard let head = Self.fields(HeadNumbers.self, of: text) else { return unread }
        next = head.dropped
        runs.append(head.run)
      } else {
        guard let record = Self.fields(RecordNumbers.self, of: text) else { return unread }
        if isFirst { runs.append(record.run) }
        if let run = record.run, case let known?? = runs.last, run != known {
          return "line \(line): a record of the run \(run) is in the recording of \(known)"
        }
        if let number = record.number {
          if reasons.isEmpty, next.map({ !($0...$0 + skipped ~= number) }) ?? true {
            return "line \(line): record \(number) instead of \(next ?? -1), not reported"
          }
          next = number + 1
        }
      }
      skipped = 0
    }
    let read = recordings.map(\.process.run)
    return runs == read ? nil : "the runs are \(read) instead of \(runs)"
  }
}

extension FlightRecording {
  /// The numbers of the sources that it introduces.
  fileprivate var introducedSources: [Int] {
    start.sources.map(\.id)
      + records.compactMap { record in
        if case .connected(let source) = record.content { source.id } else { nil }
      }
  }
}
