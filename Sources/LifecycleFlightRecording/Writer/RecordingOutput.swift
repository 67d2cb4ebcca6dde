import ReactiveLifecycle

/// The file that a recording is written to, and what is written to it next.
struct RecordingOutput {
  let series: FileSeries
  var machine: FlightWriterMachine
  /// The file; nil if it must be opened, and once nothing more is written.
  var file: SystemFile?
  private let coder = FlightLineCoder()

  init(_ series: FileSeries, _ machine: FlightWriterMachine) {
    self.series = series
    self.machine = machine
  }

  /// A Boolean value that indicates whether another program has moved, deleted, truncated or
  /// otherwise changed the file.
  var isDisturbed: Bool {
    guard let file else { return false }
    return file.isGone(from: series.location) || (try? file.size) != machine.size
  }

  /// Opens the file, if that is needed.
  ///
  /// - Parameter replacesContent: Whether to remove what the file contains.
  mutating func open(replacing replacesContent: Bool = false) throws(SystemError) {
    guard file == nil else { return }
    let file = try series.open()
    // The file is locked, so no other recorder writes it.
    if replacesContent { try file.setSize(0) }
    let size = try file.size
    let last = size > 0 ? try file.byte(at: size - 1) : nil
    machine.didOpen(size: size, endsWithinLine: last != nil && last != UInt8(ascii: "\n"))
    self.file = file
  }

  /// Writes what comes next to the open file, or rotates it.
  ///
  /// - Returns: Nil if there is nothing to do; otherwise the file that is no longer written, if
  ///   there is one.
  mutating func step() throws(SystemError) -> SystemFile?? {
    guard let file else { return nil }
    switch machine.step(coder) {
    case nil: return nil
    case .append(let bytes, let records):
      try append(bytes, to: file)
      machine.didAppend(bytes.count, records: records)
      return .some(nil)
    case .rotate:
      try series.rotate()
      return .some(self.file.take())
    }
  }

  /// Appends all of the bytes or, if possible, none.
  private mutating func append(_ bytes: [UInt8], to file: SystemFile) throws(SystemError) {
    do throws(SystemError) {
      try file.append(bytes)
    } catch {
      let size = machine.size
      if (try? file.setSize(size)) == nil { machine.didSpoil(size: (try? file.size) ?? size) }
      throw error
    }
  }
}
