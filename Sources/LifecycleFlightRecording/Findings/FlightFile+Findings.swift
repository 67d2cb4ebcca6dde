extension FlightFile {
  /// Returns what is unusual in the recordings: the damaged lines, then what was found in each run,
  /// in order of occurrence.
  ///
  /// ```swift
  /// let findings = try FlightFile(contentsOf: path).findings()
  /// if findings.isEmpty { print("Nothing unusual.") }
  /// ```
  ///
  /// - Parameter stayLimit: The duration from which on a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind within a run are one, with their count. A recording
  ///   that continues the one before it is no run that was killed.
  /// - Complexity: O(*n*) in the number of records.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    let lines = damage.map { damage in
      FlightFinding(.damagedLine(number: damage.line, reason: damage.reason), run: 0, at: nil)
    }
    var findings = lines
    var machine: FindingsMachine?
    for (index, recording) in recordings.enumerated() {
      let (start, run) = (recording.start, index + 1)
      if index > 0, let missing = recording.missingRecords(after: recordings[index - 1]) {
        findings += machine?.takeNextPart(start, missing: missing, run: run) ?? []
      } else {
        findings += machine?.finish() ?? []
        machine = FindingsMachine(start, run: run, stayLimit: stayLimit)
      }
      for record in recording.records { machine?.take(record) }
    }
    return findings + (machine?.finish() ?? [])
  }
}

extension FlightRecording {
  /// Returns what is unusual in the recording, in order of occurrence.
  ///
  /// ```swift
  /// let findings = recorder.recording.findings()
  /// #expect(!findings.contains { $0.content == .noTermination })
  /// ```
  ///
  /// - Parameter stayLimit: The duration from which on a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind are one, with their count.
  /// - Complexity: O(*n*) in the number of records.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    var machine = FindingsMachine(start, run: 1, stayLimit: stayLimit)
    for record in records { machine.take(record) }
    return machine.finish()
  }
}
