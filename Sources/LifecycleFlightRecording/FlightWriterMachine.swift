import LifecycleCore

/// The state machine that determines which bytes of a series of files are written next.
///
/// It performs no I/O: its owner performs a step and reports the outcome. The machine moves on
/// after that, so that a step that fails comes again.
struct FlightWriterMachine: Sendable {
  enum Step: Equatable, Sendable {
    /// Keep the file under the next older name, and continue with a new one.
    case rotate
    /// Append these bytes, which end with that number of records.
    case append([UInt8], records: Int)
  }

  /// The size from which on a step has enough bytes.
  static let stepSize = 1 << 18

  private let process: FlightRecording.Process
  /// The size in bytes that a file does not exceed, unless by a single record.
  private let limit: Int
  /// The state before the next record to write, whose number is `start.dropped`.
  private var start: FlightRecording.Start
  private var waiting: ArraySlice<FlightRecord> = []
  /// The size that the file has.
  private(set) var size = 0
  private var endsWithinLine = false
  private var needsHead = true
  /// A Boolean value that indicates whether the file has more than the head of the next record.
  private var isWorthKeeping = false
  /// A Boolean value that indicates whether the end of the bus, or of the process, is in the file.
  private(set) var hasEnded = false

  /// - Parameter start: The state before the first record.
  init(_ process: FlightRecording.Process, start: FlightRecording.Start, limit: Int) {
    self.process = process
    self.start = start
    self.limit = limit
  }

  /// The number of the record that follows those that were added.
  var next: Int { start.dropped + waiting.count }

  var isWaiting: Bool { !waiting.isEmpty }

  /// Returns a Boolean value that indicates whether the records before the one with that number are
  /// in the file, which has a head.
  func hasWritten(until number: Int) -> Bool { !needsHead && start.dropped >= number }

  /// Adds records to write.
  mutating func add(_ records: [FlightRecord]) {
    waiting = waiting.isEmpty ? records[...] : waiting + records
  }

  /// Takes note that records before the ones to add were missed.
  ///
  /// What was added before must have been written.
  ///
  /// - Parameter start: The state after the records that were missed.
  mutating func continueAfterGap(from start: FlightRecording.Start) {
    self.start = start
    didOpen(size: size, endsWithinLine: endsWithinLine)
  }

  /// Returns what to do next; nil if there is nothing.
  func step(_ coder: FlightLineCoder) -> Step? {
    guard needsHead || isWaiting else { return nil }
    var bytes: [UInt8] = endsWithinLine ? [UInt8(ascii: "\n")] : []
    if needsHead { coder.append(.head(process, start), to: &bytes) }
    var count = 0
    for record in waiting {
      guard bytes.count < Self.stepSize || count == 0 else { break }
      let end = bytes.count
      let number = start.dropped + count
      coder.append(.record(record, number: number, run: process.run), to: &bytes)
      if size + bytes.count > limit, isWorthKeeping || count > 0 {
        bytes.removeLast(bytes.count - end)
        break
      }
      count += 1
    }
    if count == 0, isWorthKeeping, isWaiting || size + bytes.count > limit { return .rotate }
    return .append(bytes, records: count)
  }

  /// Takes note that the bytes of a step are in the file.
  mutating func didAppend(_ count: Int, records: Int) {
    for record in waiting.prefix(records) {
      start.advance(past: record)
      if record.content == .ended { hasEnded = true }
    }
    start.dropped += records
    waiting = waiting.dropFirst(records)
    size += count
    if records > 0 { isWorthKeeping = true }
    (needsHead, endsWithinLine) = (false, false)
  }

  /// Takes note that the file could not be left as it was before a step.
  mutating func didSpoil(size: Int) {
    didOpen(size: size, endsWithinLine: true)
  }

  /// Takes note that there is another file, or that the next record needs another head.
  ///
  /// - Parameters:
  ///   - size: Its size in bytes.
  ///   - endsWithinLine: Whether its last byte is not a line feed.
  mutating func didOpen(size: Int, endsWithinLine: Bool) {
    self.size = size
    self.endsWithinLine = endsWithinLine
    needsHead = true
    isWorthKeeping = size > 0
  }
}
