import ReactiveLifecycle

/// The state machine that makes recordings of the lines of a file.
struct FlightFileParser {
  /// The reason why there is no recording.
  struct Failure: Error {
    var problem: FlightFileError.Problem
  }

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
  private var recordings: [FlightRecording] = []
  private var damage: [FlightFile.Damage] = []
  private var section = Section.unknown
  /// The numbers of all sources of the run so far.
  private var sources: Set<Int> = []
  private var lineNumber = 0
  /// The number of lines that were skipped since the last one that was read.
  private var skipped = 0
  private var laterVersion: Int?

  /// Reads the next line, without the line feed.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    lineNumber += 1
    let bytes = bytes.withoutMarks
    // A missing record is noticed by the numbers.
    if bytes.isEmpty { return }
    do throws(FlightLineDamage) {
      switch try coder.line(bytes) {
      case .head(let process, let start):
        endRun()
        recordings.append(FlightRecording(process: process, start: start))
        section = .run(next: start.dropped)
        sources = Set(start.sources.map(\.id))
        skipped = 0
      case .record(let record, let number):
        append(record, number)
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

  private mutating func append(_ record: FlightRecord, _ number: Int) {
    switch section {
    case .laterVersion(let version):
      skip(.laterVersion(version))
      return
    case .unknown:
      begin(record, number, "the run of this record is unknown: the line that introduces it is")
    case .run(let next) where number < next && skipped > 0:
      begin(record, number, "record \(number) is of another run, whose introduction is")
    case .run(let next) where number == next - 1 && recordings.last?.records.isEmpty == false:
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
    recordings[recordings.count - 1].records.append(record)
    section = .run(next: number + 1)
    skipped = 0
  }

  /// Counts the records of the run that are missing because their lines are damaged.
  private mutating func endRun() {
    guard case .run(let next) = section, let last = recordings.indices.last else { return }
    let read = recordings[last].start.dropped + recordings[last].records.count
    recordings[last].damaged = max(next + skipped - read, 0)
  }

  /// Begins a recording without a head.
  private mutating func begin(_ record: FlightRecord, _ number: Int, _ reason: String) {
    report("\(reason) \(skipped > 0 ? "damaged" : "missing")")
    let start = FlightRecording.Start(at: record.instant, dropped: number)
    recordings.append(FlightRecording(process: .init(name: "", id: 0), start: start))
    sources = []
  }

  private mutating func skip(_ line: FlightLineDamage) {
    report(line.reason)
    skipped += 1
  }

  private mutating func report(_ reason: String) {
    damage.append(FlightFile.Damage(line: lineNumber, reason: reason))
  }

  /// Returns what was read.
  consuming func finish() throws(Failure) -> FlightFile {
    endRun()
    guard recordings.isEmpty else {
      return FlightFile(recordings: recordings, damage: damage)
    }
    if let laterVersion { throw Failure(problem: .laterVersion(laterVersion)) }
    guard let first = damage.first else {
      throw Failure(problem: .notARecording(reason: "it has no line"))
    }
    throw Failure(problem: .notARecording(reason: "\(first)"))
  }
}

extension FlightFile {
  fileprivate init(recordings: [FlightRecording], damage: [Damage]) {
    self.recordings = recordings
    self.damage = damage
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
