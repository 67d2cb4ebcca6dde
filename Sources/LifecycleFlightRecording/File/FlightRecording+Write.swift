extension FlightRecording {
  /// Writes the recording to a file, as JSON Lines.
  ///
  /// ```swift
  /// try recorder.recording.write(to: path)
  /// let file = try FlightFile(contentsOf: path)
  /// ```
  ///
  /// A file that exists is replaced at once, when the new one is complete and durable: a
  /// reader of the path finds either all of the old one or all of the new one, also after a kill or
  /// a loss of power. The new one has the permissions of the old one; without one, only the current
  /// user can read and write it. A symbolic link is followed; one that leads nowhere is replaced. A
  /// device or a pipe, such as `/dev/stdout`, is written to.
  ///
  /// Times are written in whole nanoseconds, up to 292 years. For what else is in the file, see
  /// <doc:RecordingFormat>.
  ///
  /// - Parameter path: The path of the file. Its directory must exist.
  /// - Throws: A ``FlightFileError`` if it can't be written. The old file, if any, is unchanged.
  public func write(to path: String) throws(FlightFileError) {
    do throws(SystemError) {
      try WholeFile.replace(path, with: jsonLines)
    } catch {
      throw FlightFileError(.unwritable(errno: error.errno), path)
    }
  }

  /// The bytes of a file with this recording.
  package var jsonLines: [UInt8] {
    let coder = FlightLineCoder()
    var bytes: [UInt8] = []
    coder.append(.head(process, start), to: &bytes)
    for (index, record) in records.enumerated() {
      coder.append(.record(record, number: FlightFormat.number(start.dropped) + index), to: &bytes)
    }
    return bytes
  }
}
