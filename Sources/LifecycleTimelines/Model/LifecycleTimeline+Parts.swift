extension LifecycleTimeline {
  /// A run of the process.
  public struct Run: Sendable, Hashable {
    /// The name of the program and the identifier of the process.
    public let name: String
    /// The time of the run's start on the axis.
    public let start: Duration
    /// The time of its last record on the axis.
    public let end: Duration
    /// A Boolean value that indicates whether the recording has the end of the bus. A run that has
    /// none was killed, or was still running.
    public let isEnded: Bool
    /// The number of records.
    public let count: Int
  }

  /// A lane of the drawing.
  public struct Lane: Sendable, Hashable {
    /// The subject of a lane.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
      case process, phase, events, background, sleep, source, notices
      case backgroundTasks, countdowns, fetches, observers, notes
    }

    /// The subject.
    public let subject: Subject
    /// The name: that of a source, or of the subject.
    public let name: String
    /// What lasts, by its start.
    public let spans: [Span]
    /// What happened, by its time.
    public let marks: [Mark]
    /// The number of rows that the spans are distributed over.
    public let rows: Int
  }

  /// Something that lasted.
  public struct Span: Sendable, Hashable {
    /// Its start on the axis.
    public let start: Duration
    /// Its end on the axis.
    public let end: Duration
    /// The form of the drawing.
    public let style: Style
    /// A short text for the span itself.
    public let label: String
    /// A description.
    public let detail: String
    /// The row of the lane, from 0.
    public let row: Int
    /// A value for spans that are drawn as a curve: the number of observers.
    public let level: Int
  }

  /// Something that happened.
  public struct Mark: Sendable, Hashable {
    /// Its time on the axis.
    public let time: Duration
    /// The form of the drawing.
    public let style: Style
    /// A short text beside the mark; empty if the form says all.
    public let label: String
    /// A description.
    public let detail: String
    /// The number of the record, from 0, over all runs; nil if no record says that it happened, as
    /// for a kill.
    public let record: Int?
  }

  /// The form that something is drawn in.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    // Spans.
    case active, inactive, background, unknown
    case run, stay, asleep, connected, task, countdown, fetch, paused, observers
    // Marks.
    case upward, downward, notice, input, suppressed, note, ended, killed, change
  }
}

/// A record on the axis.
struct Entry: Sendable, Hashable {
  /// The time on the axis, in seconds.
  var time: Double
  /// A description.
  var detail: String
  var style: LifecycleTimeline.Style
  /// The number of the event on its bus; nil for other records.
  var sequenceNumber: Int?
}

/// The readings of the wall clock over time.
struct WallClock: Sendable, Hashable {
  /// A time on the axis, and the distance of the wall clock from the axis from there on; nil if the
  /// date is not known. In seconds.
  struct Step: Sendable, Hashable {
    var time: Double
    var offset: Double?
  }

  private(set) var steps: [Step] = []

  /// Appends a reading. One that continues the last step by a tenth of a second changes nothing.
  mutating func append(_ reading: Double?, at time: Double) {
    let offset = reading.map { $0 - time }
    if let last = steps.last {
      if last.time > time { return }
      switch (last.offset, offset) {
      case (nil, nil): return
      case (let old?, let new?) where abs(old - new) < 0.1: return
      default: break
      }
    }
    steps.append(Step(time: time, offset: offset))
  }

  /// Returns the reading at a time on the axis, in seconds since 1970.
  func reading(at time: Double) -> Double? {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    let step = low > 0 ? steps[low - 1] : steps.first
    return step?.offset.map { $0 + time }
  }
}
