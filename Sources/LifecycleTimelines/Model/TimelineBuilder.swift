import LifecycleCore
import LifecycleFlightRecording

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
}

/// Collects runs into lanes.
struct TimelineBuilder {
  /// The greatest number of lanes for sources; the others share one more.
  private static let mostSources = 12
  /// A longer time between two runs, a year, is a clock that was set, not a time to draw.
  private static let longestGap = Duration.seconds(366 * 86_400)

  private(set) var records: [LifecycleTimeline.Entry] = []
  private(set) var wallClock = WallClock()
  /// The time of the last record on the axis.
  private(set) var end = Duration.zero
  private var open: RunBuilder?
  private var previous: FlightRecording?
  private var lanes: [LaneKey: LifecycleTimeline.Lane] = [:]
  private var sources: [LaneKey.Source] = []

  /// Adds the next run, or the next part of the last one.
  mutating func add(_ recording: FlightRecording) {
    var run: RunBuilder
    if let open, let previous, recording.continues(previous) {
      run = open
      run.resume(with: recording, in: &self)
    } else {
      finish(isLast: false)
      run = RunBuilder(recording, at: start(of: recording))
      run.begin(with: recording.start.sources, in: &self)
    }
    wallClock.append(recording.start.instant, at: run.time(of: recording.start.instant))
    for record in recording.records {
      run.add(record, in: &self)
      wallClock.append(record.instant, at: run.time(of: record.instant))
    }
    run.damaged += recording.damaged
    open = run
    previous = recording
  }

  /// Ends the last run.
  mutating func finish(isLast: Bool = true) {
    guard var run = open else { return }
    run.finish(isLast: isLast, in: &self)
    end = run.now
    open = nil
  }

  private func start(of recording: FlightRecording) -> Duration {
    guard let previous else { return .zero }
    let (old, new) = (previous.end, recording.start.instant)
    let sameBoot =
      previous.process.bootID != nil && previous.process.bootID == recording.process.bootID
    let gap =
      sameBoot
      ? new.continuous - old.continuous : new.timeSince1970.clamped - old.timeSince1970.clamped
    return (.zero...Self.longestGap).contains(gap) ? min(end + gap, TimeAxis.longest) : end
  }

  // MARK: For a run

  /// Appends a record, and returns its number.
  mutating func append(_ record: LifecycleTimeline.Entry) -> Int {
    records.append(record)
    return records.count - 1
  }

  mutating func mark(
    _ key: LaneKey,
    _ style: LifecycleTimeline.Style,
    at time: Duration,
    label: String = "",
    detail: String,
    record: Int?
  ) {
    change(key) {
      $0.marks.append(
        .init(time: time, style: style, label: label, detail: detail, record: record)
      )
    }
  }

  mutating func span(
    _ key: LaneKey,
    _ style: LifecycleTimeline.Style,
    from start: Duration,
    until end: Duration,
    label: String,
    detail: String,
    level: Int = 0
  ) {
    change(key) {
      $0.spans.append(
        .init(start: start, end: end, style: style, label: label, detail: detail, level: level)
      )
    }
  }

  /// Returns the key of the lane of a source.
  @discardableResult
  mutating func sourceLane(_ source: LaneKey.Source) -> LaneKey {
    if !sources.contains(source) {
      if sources.count >= Self.mostSources {
        return LaneKey(subject: .source, source: .others)
      }
      sources.append(source)
    }
    return LaneKey(subject: .source, source: source)
  }

  private mutating func change(_ key: LaneKey, _ body: (inout LifecycleTimeline.Lane) -> Void) {
    let name = key.source?.name ?? key.subject.title
    body(&lanes[key, default: LifecycleTimeline.Lane(subject: key.subject, name: name)])
  }

  // MARK: Result

  /// Returns the lanes in the order of their subjects; those of sources in the order of appearance.
  func finishedLanes() -> [LifecycleTimeline.Lane] {
    LifecycleTimeline.Lane.Subject.allCases.flatMap { subject -> [LifecycleTimeline.Lane] in
      let sources: [LaneKey.Source?] = subject == .source ? sources + [.others] : [nil]
      return sources.compactMap { lanes[LaneKey(subject: subject, source: $0)]?.finished() }
    }
  }
}
