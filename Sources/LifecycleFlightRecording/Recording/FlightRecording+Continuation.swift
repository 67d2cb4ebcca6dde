import ReactiveLifecycle

extension FlightRecording {
  /// Returns how many records are missing between the previous recording and this one, a later part
  /// of its run: of a file that was rotated, or after records that were missed.
  ///
  /// - Returns: The number, which includes damaged lines of the previous recording; nil if this is
  ///   no part of its run.
  /// - Complexity: O(*n*) in the records of the previous one.
  package func missingRecords(after previous: Self) -> Int? {
    // Records whose introduction is damaged have a process without an identifier.
    guard process.id != 0, process == previous.process,
      start.instant.continuous >= previous.end.continuous,
      start.dropped > 0, start.dropped >= previous.start.dropped
    else { return nil }
    let missing = start.dropped - max(previous.start.dropped, 0) - previous.records.count
    // If records are missing after the end of a bus, these are of another bus of the process.
    guard missing == 0 || missing > 0 && !previous.records.contains(where: { $0.content == .ended })
    else { return nil }
    return missing
  }

  /// Returns whether the recording is a later part of the run of the previous one.
  package func continues(_ previous: Self) -> Bool {
    missingRecords(after: previous) != nil
  }
}
