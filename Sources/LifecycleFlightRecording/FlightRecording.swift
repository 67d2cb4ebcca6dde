public import LifecycleCore

/// The records of a bus, in order: one run of a process, or its last part.
public struct FlightRecording: Sendable {
  /// The process whose bus was recorded.
  public struct Process: Sendable, Equatable {
    /// The name of the program.
    public var name: String
    /// The identifier of the process.
    public var id: Int32
    /// The boot that the readings of the clocks belong to; nil if it is not known.
    public var bootID: BootID?
    /// The version of the program; nil if it is not known.
    public var version: String?
    /// The identifier of the run, which no other run has, on this machine or another one; nil in a
    /// recording of a `ScriptedLifecycle`.
    public var run: String?

    /// Creates a description of a process.
    package init(
      name: String,
      id: Int32,
      bootID: BootID? = nil,
      version: String? = nil,
      run: String? = nil
    ) {
      self.name = name
      self.id = id
      self.bootID = bootID
      self.version = version
      self.run = run
    }

    /// Returns the name of the program at a path: its last component.
    package static func lastComponent(of path: String) -> String {
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? path } ?? ""
    }
  }

  /// The state of the bus before the first record.
  public struct Start: Sendable, Equatable {
    /// The instant from which on the recording has what happened.
    public var instant: LifecycleInstant
    /// The phase of the bus.
    public var phase: LifecyclePhase
    /// The phase of the application, if the program itself has reported on it with `send`;
    /// otherwise `unknown`.
    public var program: LifecyclePhase
    /// The sources that were connected.
    public var sources: [FlightSource]
    /// The number of earlier records that were dropped.
    public var dropped: Int

    /// Creates the state of a bus.
    package init(
      at instant: LifecycleInstant,
      phase: LifecyclePhase = .unknown,
      program: LifecyclePhase = .unknown,
      sources: [FlightSource] = [],
      dropped: Int = 0
    ) {
      self.instant = instant
      self.phase = phase
      self.program = program
      self.sources = sources
      self.dropped = dropped
    }
  }

  /// The process whose bus was recorded.
  public var process: Process
  /// The state of the bus before the first record.
  public var start: Start
  /// The records, in order of occurrence.
  public var records: [FlightRecord]
  /// The number of records that are missing because their lines in the file are damaged. It is no
  /// part of the value: a copy that is written has no damage.
  package var damaged = 0

  /// Creates a recording.
  package init(process: Process, start: Start, records: [FlightRecord] = []) {
    self.process = process
    self.start = start
    self.records = records
  }

  /// The instant of the last record; that of the start if there is none.
  public var end: LifecycleInstant { records.last?.instant ?? start.instant }
}

extension FlightRecording: Equatable {
  public static func == (first: Self, second: Self) -> Bool {
    first.process == second.process && first.start == second.start
      && first.records == second.records
  }
}

extension FlightRecording.Start {
  /// Moves the start past a record, so that a recording that begins after it is complete.
  ///
  /// - Complexity: O(1) for an event; O(*n*) in the number of sources for their reports.
  package mutating func advance(past record: FlightRecord) {
    instant = record.instant
    switch record.content {
    case .event(let event): phase = event.phase
    case .input(let input): advance(past: input)
    case .connected(let source): sources.append(source)
    case .disconnected(let source): disconnect(source)
    case .observerAdded, .observerRemoved, .overrun, .activity, .note, .ended: break
    }
  }

  /// Moves the participant or the ceiling that an input reports on.
  private mutating func advance(past input: FlightInput) {
    guard let target = input.kind.targetPhase else { return }
    let moves = input.suppressed == nil || input.suppressed == .masked
    guard input.source != 0 else {
      if moves {
        program = target
        moveSources(of: .participant(.application), to: target)
      } else if input.suppressed == .duplicate, program == .unknown {
        // A source has already reported this, and from now on the program has, too.
        program = sources.first { $0.role == .participant(.application) }?.phase ?? target
      }
      return
    }
    guard moves, let index = sources.firstIndex(where: { $0.id == input.source }) else { return }
    let role = sources[index].role
    guard role != .ceiling else { return sources[index].phase = target }
    moveSources(of: role, to: target)
    if role == .participant(.application), program != .unknown { program = target }
  }

  private mutating func moveSources(of role: LifecycleRole, to phase: LifecyclePhase) {
    for index in sources.indices where sources[index].role == role {
      sources[index].phase = phase
    }
  }

  /// Removes a source and its parts.
  private mutating func disconnect(_ source: Int) {
    var rest = [source]
    while let id = rest.popLast() {
      // First, so that this ends even if a source is a part of itself.
      sources.removeAll { $0.id == id }
      rest += sources.filter { $0.whole == id }.map(\.id)
    }
  }
}

extension FlightRecording {
  /// A part of a run without its records, which determines whether another part continues it.
  package struct Part {
    private let process: Process
    private let start: Start
    private var recordCount = 0
    private var hasEnded = false
    /// The number of records that are missing because their lines in the file are damaged.
    package var damaged = 0

    package init(_ process: Process, _ start: Start) {
      (self.process, self.start) = (process, start)
    }

    package mutating func take(_ record: FlightRecord) {
      recordCount += 1
      if case .ended = record.content { hasEnded = true }
    }

    /// Returns how many records are missing between this part and one that begins like this.
    ///
    /// - Returns: The number, which includes damaged lines of this part; nil if that one is no part
    ///   of its run.
    package func missingRecords(before process: Process, _ next: Start) -> Int? {
      // Records whose introduction is damaged have a process without an identifier. The last record
      // before the start may be an input that was sent with an earlier instant.
      guard process.id != 0, process == self.process,
        next.instant.continuous >= start.instant.continuous,
        next.dropped >= start.dropped,
        // A file with room for the introduction alone is continued by one with the same one.
        next.dropped > 0 || recordCount == 0 && next == start
      else { return nil }
      let missing = next.dropped - max(start.dropped, 0) - recordCount
      guard missing > 0 else { return missing == 0 ? 0 : nil }
      // If records were dropped after the end of a bus, these are of another bus of the process.
      return missing <= damaged || !hasEnded ? missing : nil
    }

    /// Returns how many records were dropped between this part and one that begins like this,
    /// without the damaged lines of this part.
    ///
    /// - Returns: The number; nil if that one is no part of its run.
    package func droppedRecords(before process: Process, _ next: Start) -> Int? {
      missingRecords(before: process, next).map { max($0 - damaged, 0) }
    }
  }

  private var part: Part {
    var part = Part(process, start)
    for record in records { part.take(record) }
    part.damaged = damaged
    return part
  }

  /// Returns how many records are missing between the previous recording and this one, a later part
  /// of its run: of a file that was rotated, or after records that were missed.
  ///
  /// - Returns: The number, which includes damaged lines of the previous recording; nil if this is
  ///   no part of its run.
  /// - Complexity: O(*n*) in the records of the previous one.
  package func missingRecords(after previous: Self) -> Int? {
    previous.part.missingRecords(before: process, start)
  }

  /// Returns how many records were dropped between the previous recording and this one, a later
  /// part of its run, without the damaged lines of the previous one.
  ///
  /// - Returns: The number; nil if this is no part of its run.
  /// - Complexity: O(*n*) in the records of the previous one.
  package func droppedRecords(after previous: Self) -> Int? {
    previous.part.droppedRecords(before: process, start)
  }

  /// Returns whether the recording is a later part of the run of the previous one.
  package func continues(_ previous: Self) -> Bool {
    missingRecords(after: previous) != nil
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

extension FlightActivity {
  /// The identity of an activity, also in a damaged file.
  package struct Key: Hashable, Comparable {
    package let kind: Kind
    package let id: Int

    package static func < (first: Self, second: Self) -> Bool {
      (first.kind.rawValue, first.id) < (second.kind.rawValue, second.id)
    }
  }

  package var key: Key { Key(kind: kind, id: id) }
}

extension FlightActivity.Kind {
  /// Returns the kind in words, and the name, if there is one.
  package func title(_ name: String, count: Int = 1) -> String {
    let isOne = count == 1
    let words =
      switch self {
      case .countdown: isOne ? "countdown" : "countdowns"
      case .backgroundTask: isOne ? "background task" : "background tasks"
      case .fetch: isOne ? "fetch" : "fetches"
      }
    // One that began before the recording has none.
    return name.isEmpty ? words : "\(words) \"\(name)\""
  }
}
