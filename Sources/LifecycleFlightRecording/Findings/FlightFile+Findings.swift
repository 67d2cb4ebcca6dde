extension FlightFile {
  /// Returns what is unusual in the recordings: the damaged lines, then what was found in each run,
  /// in order of occurrence.
  ///
  /// ```swift
  /// let findings = try FlightFile(contentsOf: path).findings()
  /// if findings.isEmpty { print("Nothing unusual.") }
  /// ```
  ///
  /// - Parameter stayLimit: The duration above which a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind within a run are one, with their count. Recordings
  ///   that continue each other, as in a file that was rotated, are one run.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    let lines = damage.map { damage in
      FlightFinding(.damagedLine(number: damage.line, reason: damage.reason), run: 0, at: nil)
    }
    return zip(1..., recordings.runs).reduce(into: lines) { findings, run in
      findings += Self.findings(in: run.1, number: run.0, stayLimit)
    }
  }

  private static func findings(
    in parts: ArraySlice<FlightRecording>,
    number: Int,
    _ stayLimit: Duration
  ) -> [FlightFinding] {
    guard let first = parts.first else { return [] }
    var machine = FindingsMachine(first.start, run: number, stayLimit: stayLimit)
    for record in first.records { machine.take(record) }
    for (previous, part) in zip(parts, parts.dropFirst()) {
      machine.takeNextPart(part.start, dropped: part.droppedRecords(after: previous) ?? 0)
      for record in part.records { machine.take(record) }
    }
    return machine.finish()
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
  /// - Parameter stayLimit: The duration above which a stay in the background is a finding; a day
  ///   by default.
  /// - Returns: The findings. Those of one kind are one, with their count.
  public func findings(stayLimit: Duration = .seconds(86_400)) -> [FlightFinding] {
    var machine = FindingsMachine(start, run: 1, stayLimit: stayLimit)
    for record in records { machine.take(record) }
    return machine.finish()
  }
}
