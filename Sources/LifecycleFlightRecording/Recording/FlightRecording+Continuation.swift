import ReactiveLifecycle

extension FlightRecording {
  /// Returns how many records are missing between the previous recording and this one, a later part
  /// of its run: of a file that was rotated, or after records that were missed.
  ///
  /// - Returns: The number, which includes damaged lines of the previous recording; nil if this is
  ///   no part of its run.
  /// - Complexity: O(*n*) in the records of the previous one.
  package func missingRecords(after previous: Self) -> Int? {
    // Records whose introduction is damaged have a process without an identifier. The last record
    // before the start may be an input that was sent with an earlier instant.
    guard process.id != 0, process == previous.process,
      start.instant.continuous >= previous.start.instant.continuous,
      start.dropped >= previous.start.dropped,
      // A file with room for the introduction alone is continued by one with the same introduction.
      start.dropped > 0 || previous.records.isEmpty && start == previous.start
    else { return nil }
    let missing = start.dropped - max(previous.start.dropped, 0) - previous.records.count
    guard missing > 0 else { return missing == 0 ? 0 : nil }
    // If records were dropped after the end of a bus, these are of another bus of the process.
    let isSameBus =
      missing <= previous.damaged || !previous.records.contains { $0.content == .ended }
    return isSameBus ? missing : nil
  }

  /// Returns how many records were dropped between the previous recording and this one, a later
  /// part of its run, without the damaged lines of the previous one.
  ///
  /// - Returns: The number; nil if this is no part of its run.
  /// - Complexity: O(*n*) in the records of the previous one.
  package func droppedRecords(after previous: Self) -> Int? {
    missingRecords(after: previous).map { max($0 - previous.damaged, 0) }
  }

  /// Returns whether the recording is a later part of the run of the previous one.
  package func continues(_ previous: Self) -> Bool {
    missingRecords(after: previous) != nil
  }
}

extension FlightRecording {
  /// Returns the recordings with those joined that are parts of one run, as in the files of a
  /// recording that was rotated.
  ///
  /// ```swift
  /// let files = try [path + ".1", path].map { try FlightFile(contentsOf: $0) }
  /// let runs = FlightRecording.joined(files.flatMap(\.recordings))
  /// ```
  ///
  /// - Parameter recordings: The recordings, in order: those of the oldest file first.
  /// - Returns: One recording for each run. Parts between which records were dropped are not
  ///   joined.
  public static func joined(_ recordings: [Self]) -> [Self] {
    var joined: [Self] = []
    for recording in recordings {
      let dropped = joined.last.flatMap { recording.droppedRecords(after: $0) }
      if dropped == 0 {
        joined[joined.count - 1].records += recording.records
        joined[joined.count - 1].damaged += recording.damaged
      } else {
        joined.append(recording)
      }
    }
    return joined
  }
}

extension [FlightRecording] {
  /// The recordings of each run, in order: one, or several that continue each other.
  ///
  /// - Complexity: O(*n*) in the number of records.
  package var runs: [SubSequence] {
    let starts = indices.filter { $0 == 0 || !self[$0].continues(self[$0 - 1]) }
    return zip(starts, starts.dropFirst() + [count]).map { self[$0..<$1] }
  }
}
