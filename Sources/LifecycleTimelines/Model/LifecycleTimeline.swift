package import LifecycleCore
public import LifecycleFlightRecording

/// A drawing of what happened to a process: lanes of spans and marks over time.
///
/// ```swift
/// let timeline = LifecycleTimeline([recorder.recording], title: "rental")
/// let page = timeline.html
/// ```
///
/// A timeline is a value: it reads no clock, no environment and no file. The same recordings make
/// the same drawing, but for the random number in the security policy of a page.
public struct LifecycleTimeline: Sendable {
  package let title: String
  /// The lanes that are not empty, from top to bottom.
  package let lanes: [Lane]
  /// The time from the first run's start to the last record.
  package let duration: Duration
  let records: [Entry]
  package let wallClock: WallClock

  /// Creates the timeline of the runs of a process, one after the other.
  ///
  /// Runs of the same boot have the distance that the continuous clock shows, others that of the
  /// wall clock. A run whose clocks contradict that begins where the one before it ends. A recording
  /// of the same process and boot whose earlier records were dropped continues the run before.
  ///
  /// - Parameters:
  ///   - recordings: The runs, in order.
  ///   - title: The title; by default the names of the programs.
  /// - Complexity: O(*n* log *n*) in the number of records.
  public init(_ recordings: [FlightRecording], title: String? = nil) {
    var builder = TimelineBuilder()
    for recording in recordings { builder.add(recording) }
    builder.finish()
    self.title = title ?? Self.title(of: recordings)
    lanes = builder.finishedLanes()
    duration = builder.end
    records = builder.records
    wallClock = builder.wallClock
  }

  private static func title(of recordings: [FlightRecording]) -> String {
    var names: [String] = []
    for recording in recordings where !names.contains(recording.process.shortName) {
      if names.count == 3 { return names.joined(separator: ", ") + ", …" }
      names.append(recording.process.shortName)
    }
    return names.isEmpty ? "Timeline" : names.joined(separator: ", ")
  }
}

extension FlightRecording.Process {
  /// The name of the program without its folder.
  var shortName: String {
    let last = Self.lastComponent(of: name)
    return last.isEmpty ? "process \(id)" : last
  }
}

// MARK: Parts

extension LifecycleTimeline {
  /// A lane of the drawing.
  package struct Lane {
    package enum Subject: String, CaseIterable {
      case process, phase, events, background, sleep, source, notices
      case backgroundTasks, countdowns, fetches, observers, notes
    }

    /// The greatest number of rows; more spans at the same time share the last one.
    static let mostRows = 4

    package let subject: Subject
    /// The name: that of a source, or of the subject.
    package let name: String
    /// What lasts; in a finished lane by its start.
    package var spans: [Span] = []
    /// What happened; in a finished lane by its time.
    package var marks: [Mark] = []
    /// The number of rows that the spans are distributed over.
    package private(set) var rows = 1

    /// Returns the lane in the order of time, with each span in the first row that is free at its
    /// start.
    ///
    /// - Complexity: O(*n* log *n*) in the number of spans and marks.
    func finished() -> Lane {
      var (lane, ends) = (self, [] as [Duration])
      lane.spans.sort { ($0.start, $0.end) < ($1.start, $1.end) }
      lane.marks.sort { ($0.time, $0.record ?? .max) < ($1.time, $1.record ?? .max) }
      for index in lane.spans.indices {
        let (start, end) = (lane.spans[index].start, lane.spans[index].end)
        let row = ends.firstIndex { $0 <= start } ?? min(ends.count, Self.mostRows - 1)
        if row == ends.count { ends.append(end) } else { ends[row] = max(ends[row], end) }
        lane.spans[index].row = row
      }
      lane.rows = max(ends.count, 1)
      return lane
    }
  }

  /// Something that lasted.
  package struct Span {
    /// Its start on the axis.
    package var start: Duration
    /// Its end on the axis.
    package var end: Duration
    package var style: Style
    /// A short text for the span itself.
    package var label: String
    /// A description.
    package var detail: String
    /// A value for spans that are drawn as a curve: the number of observers.
    package var level = 0
    /// The row of the lane, from 0.
    package var row = 0
  }

  /// Something that happened.
  package struct Mark {
    /// Its time on the axis.
    package var time: Duration
    package var style: Style
    /// A short text beside the mark; empty if the form says all.
    package var label: String
    /// A description.
    package var detail: String
    /// The number of the record, from 0, over all runs; nil for what has none,
    /// such as a kill.
    package var record: Int?
  }

  /// The form that something is drawn in.
  package enum Style: String, CaseIterable {
    // Spans.
    case active, inactive, background, unknown
    case run, stay, asleep, connected, task, countdown, fetch, paused, observers
    // Marks.
    case upward, downward, notice, input, suppressed, note, ended, killed, change
  }

  /// A record on the axis.
  struct Entry {
    var time: Duration
    /// A description.
    var detail: String
    var style: Style
    /// The number of the event on its bus; nil for other records.
    var sequenceNumber: Int?
  }
}

extension LifecycleTimeline.Style {
  /// The form of the mark that stands for a record.
  package init(of content: FlightRecord.Content) {
    self =
      switch content {
      case .input(let input): input.suppressed == nil ? .input : .suppressed
      case .event(let event) where !event.kind.isTransition: .notice
      case .overrun: .notice
      case .event(let event): event.phase > event.previousPhase ? .upward : .downward
      case .note: .note
      case .ended: .ended
      default: .change
      }
  }

  /// The form of the span of a phase; nil for the end, which has none.
  init?(_ phase: LifecyclePhase) {
    switch phase {
    case .terminated: return nil
    case .unknown: self = .unknown
    case .background: self = .background
    case .inactive: self = .inactive
    case .active: self = .active
    }
  }
}

extension LifecycleTimeline.Lane.Subject {
  /// The name of the lanes of the subject; those of sources are named after the sources.
  var title: String {
    switch self {
    case .process: "Process"
    case .phase: "Phase"
    case .events: "Events"
    case .background: "In background"
    case .sleep: "Machine asleep"
    case .source: "Source"
    case .notices: "Notices"
    case .backgroundTasks: "Background tasks"
    case .countdowns: "Countdowns"
    case .fetches: "Fetches"
    case .observers: "Observers"
    case .notes: "Notes"
    }
  }
}

// MARK: Summary

extension LifecycleTimeline {
  /// The time, and the numbers of runs, records and suppressed inputs.
  package var facts: [String] {
    let (suppressed, killed) = (suppressedCount, killedCount)
    var facts = [
      duration.shortText, Self.count(runCount, "run"), Self.count(records.count, "record"),
    ]
    if suppressed > 0 { facts.append(Self.count(suppressed, "suppressed input")) }
    if killed > 0 { facts.append("\(killed) killed") }
    return facts
  }

  package var runCount: Int { lanes(.process).reduce(0) { $0 + $1.spans.count } }

  /// The number of runs that were killed; the last one may still be running.
  var killedCount: Int { lanes(.process).flatMap(\.marks).count { $0.style == .killed } }

  var suppressedCount: Int { records.count { $0.style == .suppressed } }

  package func lanes(_ subject: Lane.Subject) -> [Lane] { lanes.filter { $0.subject == subject } }

  /// The forms that something is drawn in, in the order of a legend.
  package var usedStyles: [Style] {
    var used: Set<Style> = []
    for lane in lanes {
      for span in lane.spans { used.insert(span.style) }
      for mark in lane.marks { used.insert(mark.style) }
    }
    return Style.allCases.filter(used.contains)
  }

  /// The dates of the start and of the end; nil if they are not known.
  package var dates: String? {
    period.map { first, last in
      "\(first) – \(isOneDay ? String(last.dropFirst(11)) : last) UTC"
    }
  }

  /// Returns a reading of the wall clock for a tick, with the date if neither the heading nor the
  /// last tick has it.
  package func tickText(_ wall: String, after last: String) -> String {
    let hasDate = isOneDay || wall.prefix(10) == last.prefix(10)
    return String(wall.dropFirst(hasDate ? 11 : 5))
  }

  /// A Boolean value that indicates whether the heading has the only date there is.
  var isOneDay: Bool {
    period.map { $0.first.prefix(10) == $0.last.prefix(10) } ?? true
  }

  private var period: (first: String, last: String)? {
    guard
      let start = wallClock.reading(at: .zero),
      let end = wallClock.reading(at: duration)
    else { return nil }
    return (TimeText.wall(start), TimeText.wall(end))
  }

  /// Returns a number with its noun: `1 run`, `25,000 records`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns a number with commas: `25,000`.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }
}
