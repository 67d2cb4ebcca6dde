import LifecycleFlightRecording
import ProgramReporting
import ReactiveLifecycle

/// The findings in a recording, in the formats of the program.
struct Explanation {
  let runs: [FindingsCollector.Run]
  /// The findings; those in damaged lines come first.
  let findings: [FlightFinding]

  func text(in format: ReportFormat) -> String {
    switch format {
    case .text: sentences.map { OutsideText.line($0) + "\n" }.joined()
    case .json: findings.map { line($0) }.joined()
    }
  }

  /// Returns the findings of one of several recordings: in one line, or an object each.
  ///
  /// - Parameter files: Its files, the oldest one first.
  func text(in format: ReportFormat, of files: [String]) -> String {
    guard let file = files.last, !findings.isEmpty else { return "" }
    switch format {
    case .text:
      let title = files.count > 1 ? "\(file) (\(files.count) files)" : file
      return OutsideText.line("\(title): \(summary)") + "\n"
    case .json: return findings.map { line($0, file: file) }.joined()
    }
  }

  private var sentences: [String] {
    guard !findings.isEmpty else { return ["Nothing unusual."] }
    var sentences: [String] = []
    var run = 0
    for finding in findings {
      if finding.run != run {
        run = finding.run
        sentences.append(runs[run - 1].process.title(ofRun: run, of: runs.count))
      }
      let time = elapsed(finding).map { Sentence.span(.seconds($0)) } ?? ""
      let padding = String(repeating: " ", count: max(10 - time.count, 0))
      sentences.append("\(padding)\(time)  \(finding)")
    }
    return sentences
  }

  /// The kinds of the findings with their counts, and the first damage.
  private var summary: String {
    var counts: [(kind: FlightFinding.Content, count: Int)] = []
    for finding in findings {
      if let index = counts.firstIndex(where: { $0.kind.name == finding.content.name }) {
        counts[index].count += finding.count
      } else {
        counts.append((finding.content, finding.count))
      }
    }
    return counts.map { kind, count in
      var text = kind.title + (count > 1 ? " ×\(count)" : "")
      if case .damagedLine(let number, let reason) = kind { text += " (line \(number): \(reason))" }
      return text
    }
    .joined(separator: ", ")
  }

  private func line(_ finding: FlightFinding, file: String? = nil) -> String {
    var line = JSONLine(type: "finding")
    if let file { line.add("file", file) }
    line.add("kind", finding.content.name)
    if finding.run > 0 { line.add("run", finding.run) }
    if let seconds = elapsed(finding) { line.add("seconds", seconds) }
    line.add("count", finding.count)
    line.add("text", "\(finding)")
    return line.text
  }

  /// The seconds from the start of the run.
  private func elapsed(_ finding: FlightFinding) -> Double? {
    finding.instant.map { instant in
      runs[finding.run - 1].start.duration(to: instant).secondsInMilliseconds
    }
  }
}

extension FlightFinding.Content {
  /// The name in the output for programs.
  var name: String {
    switch self {
    case .damagedLine: "damagedLine"
    case .droppedRecords: "droppedRecords"
    case .duplicate: "duplicate"
    case .mismatch: "mismatch"
    case .masked: "masked"
    case .late: "late"
    case .clockChange: "clockChange"
    case .machineSleep: "machineSleep"
    case .pause: "pause"
    case .memoryWarning: "memoryWarning"
    case .longStay: "longStay"
    case .overrun: "overrun"
    case .badEnd: "badEnd"
    case .noEnd: "noEnd"
    case .remainingObservers: "remainingObservers"
    case .noTermination: "noTermination"
    }
  }

  /// The name in words, such as `memory warning`.
  var title: String {
    name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }
}

extension FlightRecording.Process {
  /// Returns the title of a run of this process, one of those of a file.
  func title(ofRun number: Int, of count: Int) -> String {
    "Run \(number) of \(count): \(name) (process \(id))"
  }
}
