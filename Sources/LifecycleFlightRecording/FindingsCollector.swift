package import LifecycleCore

/// Collects what is unusual in one or several files as they are read, without their records.
package struct FindingsCollector {
  /// A run of a process.
  package struct Run: Sendable {
    package let process: FlightRecording.Process
    /// The instant at which its recording starts.
    package let start: LifecycleInstant
  }

  /// The runs so far. Parts that continue each other are one.
  package private(set) var runs: [Run] = []
  /// The number of records so far.
  package private(set) var recordCount = 0

  private let stayLimit: Duration
  private var damage: [FlightFinding] = []
  /// The findings of the runs before the last one.
  private var findings: [FlightFinding] = []
  /// The last run, and its last part.
  private var last: (machine: FindingsMachine, part: FlightRecording.Part)?

  /// Creates a collector without findings.
  ///
  /// - Parameter stayLimit: The duration above which a stay in the background is a finding.
  package init(stayLimit: Duration) {
    self.stayLimit = stayLimit
  }

  /// Returns whether a recording that begins like this is a later part of the last run.
  package func isContinued(
    by process: FlightRecording.Process,
    _ start: FlightRecording.Start
  ) -> Bool {
    last?.part.missingRecords(before: process, start) != nil
  }

  /// Takes what comes next in a file.
  package mutating func take(_ item: FlightFileItem) {
    switch item {
    case .begin(let process, let start): begin(process, start)
    case .record(let record):
      recordCount += 1
      last?.machine.take(record)
      last?.part.take(record)
    case .end(let damaged): last?.part.damaged = damaged
    case .damage(let line):
      let content = FlightFinding.Content.damagedLine(number: line.line, reason: line.reason)
      damage.append(FlightFinding(content, run: 0, at: nil))
    }
  }

  mutating func take(_ recording: FlightRecording) {
    begin(recording.process, recording.start)
    for record in recording.records { take(.record(record)) }
    take(.end(damaged: recording.damaged))
  }

  private mutating func begin(
    _ process: FlightRecording.Process,
    _ start: FlightRecording.Start
  ) {
    let part = FlightRecording.Part(process, start)
    if let dropped = last?.part.droppedRecords(before: process, start) {
      last?.machine.takeNextPart(start, dropped: dropped)
      last?.part = part
    } else {
      if let last { findings += last.machine.finish() }
      runs.append(Run(process: process, start: start.instant))
      let machine = FindingsMachine(start, run: runs.count, stayLimit: stayLimit)
      last = (machine, part)
    }
  }

  /// Returns the damaged lines, then what was found in each run, in order of occurrence.
  package func finish() -> [FlightFinding] {
    damage + findings + (last?.machine.finish() ?? [])
  }
}
