public import ReactiveLifecycle

/// What happened on a bus, in order: one run of a process, or its last part.
public struct FlightRecording: Sendable {
  /// The process whose bus was recorded.
  public struct Process: Sendable, Hashable {
    /// The name of the program.
    public var name: String
    /// The identifier of the process.
    public var id: Int32
    /// The boot that the readings of the clocks belong to; nil if it is not known.
    public var bootID: BootID?

    /// Creates a description of a process.
    public init(name: String, id: Int32, bootID: BootID? = nil) {
      self.name = name
      self.id = id
      self.bootID = bootID
    }
  }

  /// The state of the bus before the first record.
  public struct Start: Sendable, Hashable {
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
    public init(
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
  public init(process: Process, start: Start, records: [FlightRecord] = []) {
    self.process = process
    self.start = start
    self.records = records
  }

  /// The instant of the last record; that of the start if there is none.
  public var end: LifecycleInstant { records.last?.instant ?? start.instant }
}

extension FlightRecording: Hashable {
  public static func == (first: Self, second: Self) -> Bool {
    first.process == second.process && first.start == second.start
      && first.records == second.records
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(process)
    hasher.combine(start)
    hasher.combine(records)
  }
}
