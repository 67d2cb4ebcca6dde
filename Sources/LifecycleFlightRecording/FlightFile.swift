package import LifecycleCore
import LifecycleSupport

/// The recordings in a file, and the lines of it that could not be read.
///
/// ```swift
/// let file = try FlightFile(contentsOf: path)
/// for damage in file.damage { print(damage) }
/// for recording in file.recordings { print(recording.process.name, recording.records.count) }
/// ```
///
/// For what is in the file, see <doc:RecordingFormat>.
public struct FlightFile: Sendable, Equatable {
  /// Something that is wrong with a file: a line that was skipped, or lines that are missing.
  public struct Damage: Sendable, Equatable {
    /// The number of the line, from 1. If lines are missing, that of the line after them.
    public var line: Int
    /// The problem, in words.
    public var reason: String

    package init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// The recordings, one for each run of the process, in order.
  ///
  /// A run in which records were missed has another recording after them. If the line that
  /// introduces a run is damaged or missing, its records form a recording of a process with an
  /// empty name. Its `run` is the one that the first of them names.
  public var recordings: [FlightRecording]
  /// The problems of the file, in the order of its lines; empty if every line could be read.
  public var damage: [Damage]

  /// Reads a file.
  ///
  /// Every line that can be read is kept, and every other one is in ``damage``. The file may be one
  /// that another process is writing: then the last line may be cut off.
  ///
  /// - Parameter path: The path of a file, or of a pipe.
  /// - Throws: A ``FlightFileError`` if the file can't be read, if it has more than 1 GiB, or if no
  ///   line of it is part of a recording.
  public init(contentsOf path: String) throws(FlightFileError) {
    (recordings, damage) = ([], [])
    // A greater one may not fit into memory.
    var reader = try FlightFileReader(path, limit: 1 << 30)
    while let items = try reader.next() { take(items) }
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, as ``FlightRecording/write(to:)`` writes them.
  ///   - path: The path that a thrown error names.
  /// - Throws: A ``FlightFileError`` if no line is part of a recording.
  package init(parsing bytes: [UInt8], path: String = "") throws(FlightFileError) {
    (recordings, damage) = ([], [])
    var parser = FlightFileParser()
    parser.append(bytes)
    try parser.finish(path)
    take(parser.takeItems())
  }

  private mutating func take(_ items: [FlightFileItem]) {
    for item in items {
      switch item {
      case .begin(let process, let start):
        recordings.append(FlightRecording(process: process, start: start))
      case .record(let record): recordings[recordings.count - 1].records.append(record)
      case .end(let damaged): recordings[recordings.count - 1].damaged = damaged
      case .damage(let damage): self.damage.append(damage)
      }
    }
  }
}

extension FlightFile.Damage: CustomStringConvertible {
  /// The line and what is wrong with it: `line 12: it is cut off after 60 bytes`.
  public var description: String { "line \(line): \(reason)" }
}

/// A part of the contents of a file, in order.
package enum FlightFileItem {
  /// A recording begins.
  case begin(FlightRecording.Process, FlightRecording.Start)
  /// The next record of the recording.
  case record(FlightRecord)
  /// The recording ends, and lacks this number of records, whose lines are damaged.
  case end(damaged: Int)
  case damage(FlightFile.Damage)
}

/// The state machine that makes recordings of the bytes of a file.
struct FlightFileParser {
  /// The run that the next record belongs to.
  private enum Section {
    /// None: no line has introduced one, or that line is damaged.
    case unknown
    /// The run of the last recording, and the number of its next record.
    case run(next: Int)
    /// One in a later version of the format.
    case laterVersion(Int)
  }

  private let coder = FlightLineCoder()
  private var items: [FlightFileItem] = []
  /// The beginning of a line whose end was not read yet.
  private(set) var rest: [UInt8] = []
  /// The number that the first record of the last recording has or would have; nil if there is no
  /// recording.
  private var first: Int?
  /// The identifier of the last recording's run, if it is known.
  private var run: String?
  /// The number of records that were read of the last recording.
  private var recordCount = 0
  private var firstDamage: FlightFile.Damage?
  private var section = Section.unknown
  /// The numbers of all sources of the run so far.
  private var sources: Set<Int> = []
  private var lineNumber = 0
  /// The number of lines that were skipped since the last one that was read.
  private var skipped = 0
  private var laterVersion: Int?

  /// Reads the next bytes.
  mutating func append(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    while let end = bytes.index(of: UInt8(ascii: "\n")) {
      if rest.isEmpty {
        append(line: bytes[..<end])
      } else {
        rest += bytes[..<end]
        append(line: rest[...])
        rest = []
      }
      bytes = bytes[end...].dropFirst()
    }
    rest += bytes
  }

  /// Returns what was found since the last call.
  mutating func takeItems() -> [FlightFileItem] {
    defer { items = [] }
    return items
  }

  /// Reads the next line, without the line feed.
  private mutating func append(line bytes: ArraySlice<UInt8>) {
    lineNumber += 1
    let bytes = bytes.withoutMarks
    // A missing record is noticed by the numbers.
    if bytes.isEmpty { return }
    do throws(FlightLineDamage) {
      switch try coder.line(bytes) {
      case .head(let process, let start):
        begin(process, start)
        section = .run(next: start.dropped)
        sources = Set(start.sources.map(\.id))
        skipped = 0
      case .record(let record, let number, let run):
        append(record, number, of: run)
      }
    } catch {
      skip(error)
      switch error {
      case .laterVersion(let version):
        laterVersion = version
        section = .laterVersion(version)
      case .unreadable where bytes.containsFormatName: section = .unknown
      case .unreadable: break
      }
    }
  }

  private mutating func append(_ record: FlightRecord, _ number: Int, of run: String?) {
    // Nil if a run is unknown. Then a smaller number after a damaged line begins another run.
    let isOfOther: Bool? = if let run, let last = self.run { run != last } else { nil }
    switch section {
    case .laterVersion(let version):
      skip(.laterVersion(version))
      return
    case .unknown:
      begin(record, number, of: run, "the line that introduces the run of this record is")
    case .run(let next) where isOfOther ?? (number < next && skipped > 0):
      begin(record, number, of: run, "record \(number) is of another run, whose introduction is")
    case .run(let next) where number == next - 1 && recordCount > 0:
      // Unlike a damaged line, it can't stand for one that is missing.
      report("record \(number) is there twice")
      return
    case .run(let next):
      if case .connected(let source) = record.content, sources.contains(source.id) {
        skip(.unreadable("source \(source.id) is connected twice"))
        return
      }
      // A line that was skipped has been reported, and its record is not missing without a reason.
      if !(next...next + skipped ~= number) {
        report("record \(number) was found where record \(next + skipped) was expected")
      }
    }
    if case .connected(let source) = record.content { sources.insert(source.id) }
    items.append(.record(record))
    recordCount += 1
    section = .run(next: number + 1)
    skipped = 0
  }

  private mutating func begin(
    _ process: FlightRecording.Process,
    _ start: FlightRecording.Start
  ) {
    endRun()
    items.append(.begin(process, start))
    (first, run, recordCount) = (start.dropped, process.run, 0)
  }

  /// Counts the records of the run that are missing because their lines are damaged.
  private mutating func endRun() {
    guard let first else { return }
    var damaged = 0
    if case .run(let next) = section { damaged = max(next + skipped - first - recordCount, 0) }
    items.append(.end(damaged: damaged))
  }

  /// Begins a recording without a head.
  private mutating func begin(
    _ record: FlightRecord,
    _ number: Int,
    of run: String?,
    _ reason: String
  ) {
    report("\(reason) \(skipped > 0 ? "damaged" : "missing")")
    let start = FlightRecording.Start(at: record.instant, dropped: number)
    section = .unknown
    begin(.init(name: "", id: 0, run: run), start)
    sources = []
  }

  private mutating func skip(_ line: FlightLineDamage) {
    report(line.reason)
    skipped += 1
  }

  private mutating func report(_ reason: String) {
    let damage = FlightFile.Damage(line: lineNumber, reason: reason)
    items.append(.damage(damage))
    firstDamage = firstDamage ?? damage
  }

  /// Reads the end of the file at a path.
  mutating func finish(_ path: String) throws(FlightFileError) {
    if !rest.isEmpty { append(line: rest[...]) }
    endRun()
    guard first == nil else { return }
    if let laterVersion { throw FlightFileError(.laterVersion(laterVersion), path) }
    let reason = firstDamage.map { "\($0)" } ?? "it has no line"
    throw FlightFileError(.notARecording(reason: reason), path)
  }
}

extension ArraySlice<UInt8> {
  /// The line without what editors and other systems add: a byte order mark at its beginning, and
  /// white space at its end.
  fileprivate var withoutMarks: Self {
    var line = self
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
    return line
  }

  /// A Boolean value that indicates whether the line may have been the head of a run.
  fileprivate var containsFormatName: Bool {
    let beginning = String(decoding: prefix(4_096), as: UTF8.self)
    return beginning.contains("\"\(FlightField.format.rawValue)\"")
  }
}

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
      try SystemFile.replace(path, with: jsonLines)
    } catch {
      throw FlightFileError(.unwritable(errno: error.errno), path)
    }
  }

  /// The bytes of a file with this recording.
  package var jsonLines: [UInt8] { headLine + recordLines }

  /// The line that begins the recording.
  package var headLine: [UInt8] {
    var bytes: [UInt8] = []
    FlightLineCoder().append(.head(process, start), to: &bytes)
    return bytes
  }

  /// The lines of the records.
  package var recordLines: [UInt8] {
    let coder = FlightLineCoder()
    var bytes: [UInt8] = []
    for (index, record) in records.enumerated() {
      let number = FlightFormat.number(start.dropped) + index
      coder.append(.record(record, number: number, run: process.run), to: &bytes)
    }
    return bytes
  }
}
