import LifecycleFlightRecording
import ProgramReporting
import ReactiveLifecycle

/// The findings of a file, in the formats of the program.
struct Explanation {
  /// The first part of each run.
  private let runs: [FlightRecording]
  private let findings: [FlightFinding]

  init(_ file: FlightFile, longStay: Duration) {
    runs = file.recordings.runs.compactMap(\.first)
    findings = file.findings(stayLimit: longStay)
  }

  func text(in format: ReportFormat) -> String {
    switch format {
    case .text: sentences.map { OutsideText.line($0) + "\n" }.joined()
    case .json: findings.map(line).joined()
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

  private func line(_ finding: FlightFinding) -> String {
    var line = JSONLine(type: "finding")
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
      let start = runs[finding.run - 1].start.instant
      return start.duration(to: instant).secondsInMilliseconds
    }
  }
}

extension FlightFinding.Content {
  /// The name in the output for programs.
  fileprivate var name: String {
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
}
