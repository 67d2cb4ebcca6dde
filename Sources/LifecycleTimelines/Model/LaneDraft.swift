/// What identifies a lane while it is filled.
struct LaneKey: Hashable {
  /// A lane of inputs. A source may have any name, also that of another lane.
  enum Source: Hashable {
    case program
    case named(String)
    case others

    var name: String {
      switch self {
      case .program: "program"
      case .named(let name): name
      case .others: "other sources"
      }
    }
  }

  var subject: LifecycleTimeline.Lane.Subject
  /// The source; nil for the other subjects.
  var source: Source?

  var name: String { source?.name ?? subject.title }
}

/// A span that has no row yet, in seconds.
struct SpanDraft {
  var start: Double
  var end: Double
  var style: LifecycleTimeline.Style
  var label: String
  var detail: String
  var level = 0
}

/// A lane while it is filled.
struct LaneDraft {
  /// The greatest number of rows; more spans at the same time share the last one.
  static let mostRows = 4

  var spans: [SpanDraft] = []
  var marks: [LifecycleTimeline.Mark] = []

  /// Returns the lane, with each span in the first row that is free at its start.
  ///
  /// - Complexity: O(*n* log *n*) in the number of spans and marks.
  func finished(_ key: LaneKey) -> LifecycleTimeline.Lane {
    var ends: [Double] = []
    let rows = spans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }.map { span in
      let row = ends.firstIndex { $0 <= span.start } ?? min(ends.count, Self.mostRows - 1)
      if row == ends.count { ends.append(span.end) } else { ends[row] = max(ends[row], span.end) }
      return LifecycleTimeline.Span(
        start: .seconds(span.start),
        end: .seconds(span.end),
        style: span.style,
        label: span.label,
        detail: span.detail,
        row: row,
        level: span.level
      )
    }
    return LifecycleTimeline.Lane(
      subject: key.subject,
      name: key.name,
      spans: rows,
      marks: marks.sorted { ($0.time, $0.record ?? .max) < ($1.time, $1.record ?? .max) },
      rows: max(ends.count, 1)
    )
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
