import LifecycleFlightRecording
import ProgramReporting

/// The explanation of files that are read one after another.
///
/// It keeps the findings in the last recording, and counts those before. A recording that was
/// rotated continues in the next file.
struct FilesExplanation {
  /// The files of one recording, and what was found so far.
  private struct Recording {
    var files: [(path: String, damage: Int)] = []
    var collector: FindingsCollector

    mutating func take(_ item: FlightFileItem) {
      if case .damage = item { files[files.count - 1].damage += 1 }
      collector.take(item)
    }

    var explanation: Explanation {
      var findings = collector.finish()
      let paths = files.flatMap { Array(repeating: $0.path, count: $0.damage) }
      for (index, path) in paths.enumerated() where files.count > 1 {
        guard case .damagedLine(let number, let reason) = findings[index].content else { continue }
        findings[index].content = .damagedLine(number: number, reason: "\(reason) (in \(path))")
      }
      return Explanation(runs: collector.runs, findings: findings)
    }
  }

  private let longStay: Duration
  private let format: ReportFormat
  /// A Boolean value that indicates whether each recording has one line, and a sum follows.
  private var isOfSeveral: Bool
  private var last: Recording?
  private var sum = FindingsSum()

  init(longStay: Duration, format: ReportFormat, isOfFolder: Bool) {
    (self.longStay, self.format, isOfSeveral) = (longStay, format, isOfFolder)
  }

  /// Reads a file.
  ///
  /// - Returns: The text on the recording before it, if the file does not continue it.
  /// - Throws: `FlightFileError`. Then the explanation is unchanged.
  mutating func read(_ path: String) throws -> String {
    var reader = try FlightFileReader(path)
    var recording: Recording?
    var isContinued = false
    var damage: [FlightFileItem] = []
    while let items = try reader.next() {
      for item in items {
        if recording == nil, case .begin(let process, let start) = item {
          isContinued = last?.collector.isContinued(by: process, start) == true
          var begun = isContinued ? last : nil
          begun = begun ?? Recording(collector: FindingsCollector(stayLimit: longStay))
          begun?.files.append((path, 0))
          for line in damage { begun?.take(line) }
          recording = begun
        }
        if recording == nil { damage.append(item) } else { recording?.take(item) }
      }
    }
    defer { last = recording }
    if isContinued || last == nil { return "" }
    isOfSeveral = true
    return textOnLast()
  }

  /// Counts paths that can't be read.
  mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    isOfSeveral = true
    sum.unreadable += count
  }

  /// Counts an empty file.
  mutating func skipEmpty() {
    isOfSeveral = true
    sum.empty += 1
  }

  /// Returns the text on the last recording, and the sum.
  mutating func finish() -> String {
    guard isOfSeveral else { return last?.explanation.text(in: format) ?? "" }
    return textOnLast() + sum.text(in: format)
  }

  private mutating func textOnLast() -> String {
    guard let last else { return "" }
    let explanation = last.explanation
    sum.files += last.files.count
    sum.damaged += last.files.count { $0.damage > 0 }
    sum.records += last.collector.recordCount
    sum.add(explanation)
    return explanation.text(in: format, of: last.files.map(\.path))
  }
}

/// The counts of all files.
private struct FindingsSum {
  var files = 0
  var damaged = 0
  var empty = 0
  var unreadable = 0
  var records = 0
  private var runs = 0
  private var kinds: [String: (title: String, count: Int, recordings: Int)] = [:]

  mutating func add(_ explanation: Explanation) {
    runs += explanation.runs.count
    var counts: [String: (title: String, count: Int)] = [:]
    for finding in explanation.findings {
      let kind = finding.content
      counts[kind.name, default: (kind.title, 0)].count += finding.count
    }
    for (name, (title, count)) in counts {
      kinds[name, default: (title, 0, 0)].count += count
      kinds[name]?.recordings += 1
    }
  }

  func text(in format: ReportFormat) -> String {
    let files = files + empty + unreadable
    let kinds = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    switch format {
    case .text:
      let faults = [
        damaged > 0 ? "\(damaged) damaged" : nil, empty > 0 ? "\(empty) empty" : nil,
        unreadable > 0 ? "\(unreadable) unreadable" : nil,
      ]
      .compactMap(\.self).joined(separator: ", ")
      let lines = kinds.map { _, sum in
        let count = "\(sum.count)"
        let padding = String(repeating: " ", count: max(10 - count.count, 0))
        return "\(padding)\(count)  \(sum.title), in \(number(sum.recordings, "recording"))\n"
      }
      return """
        \(number(files, "file"))\(faults.isEmpty ? "" : " (\(faults))"): \
        \(number(runs, "run")), \(number(records, "record"))
        \(lines.isEmpty ? "Nothing unusual.\n" : lines.joined())
        """
    case .json:
      let lines = kinds.map { name, sum in
        var line = JSONLine(type: "total")
        line.add("kind", name)
        line.add("count", sum.count)
        line.add("recordings", sum.recordings)
        return line.text
      }
      var line = JSONLine(type: "sum")
      line.add("files", files)
      line.add("damaged", damaged)
      line.add("empty", empty)
      line.add("unreadable", unreadable)
      line.add("runs", runs)
      line.add("records", records)
      return lines.joined() + line.text
    }
  }

  private func number(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
