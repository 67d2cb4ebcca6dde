import LifecycleFlightRecording
import ReactiveLifecycle

/// Collects runs into lanes.
struct TimelineBuilder {
  /// The greatest number of lanes for sources; the others share one more.
  private static let mostSources = 12
  /// A longer time between two runs is a clock that was set, not a time to draw: a year, in seconds.
  private static let longestGap = 366.0 * 86_400

  private(set) var runs: [LifecycleTimeline.Run] = []
  private(set) var records: [Entry] = []
  private(set) var wallClock = WallClock()
  /// The time of the last record on the axis, in seconds.
  private(set) var end = 0.0
  private var open: RunBuilder?
  private var previous: FlightRecording?
  private var lanes: [LaneKey: LaneDraft] = [:]
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
    wallClock.append(
      TimeText.date(recording.start.instant.timeSince1970),
      at: run.time(of: recording.start.instant)
    )
    for record in recording.records {
      run.add(record, in: &self)
      wallClock.append(
        TimeText.date(record.instant.timeSince1970),
        at: run.time(of: record.instant)
      )
    }
    run.damaged += recording.damaged
    open = run
    previous = recording
  }

  /// Ends the last run.
  mutating func finish(isLast: Bool = true) {
    guard var run = open else { return }
    runs.append(run.finish(isLast: isLast, in: &self))
    end = run.now
    open = nil
  }

  private func start(of recording: FlightRecording) -> Double {
    guard let previous else { return 0 }
    let (old, new) = (previous.end, recording.start.instant)
    let sameBoot =
      previous.process.bootID != nil && previous.process.bootID == recording.process.bootID
    let gap =
      sameBoot
      ? (new.continuous - old.continuous) / .seconds(1)
      : (new.timeSince1970.clamped - old.timeSince1970.clamped) / .seconds(1)
    return (0...Self.longestGap).contains(gap) ? min(end + gap, TimeAxis.longest) : end
  }

  // MARK: For a run

  /// Appends a record, and returns its number.
  mutating func append(
    _ content: FlightRecord.Content,
    _ style: LifecycleTimeline.Style,
    at time: Double,
    detail: String
  ) -> Int {
    let number = if case .event(let event) = content { event.sequenceNumber } else { nil as Int? }
    records.append(Entry(time: time, detail: detail, style: style, sequenceNumber: number))
    return records.count - 1
  }

  mutating func mark(
    _ key: LaneKey,
    _ style: LifecycleTimeline.Style,
    at time: Double,
    label: String = "",
    detail: String,
    record: Int?
  ) {
    change(key) {
      $0.marks.append(
        .init(time: .seconds(time), style: style, label: label, detail: detail, record: record)
      )
    }
  }

  mutating func span(_ key: LaneKey, _ span: SpanDraft) {
    change(key) { $0.spans.append(span) }
  }

  /// Returns the key of the lane of a source.
  mutating func sourceLane(_ source: LaneKey.Source) -> LaneKey {
    if !sources.contains(source) {
      if sources.count >= Self.mostSources {
        return LaneKey(subject: .source, source: .others)
      }
      sources.append(source)
    }
    return LaneKey(subject: .source, source: source)
  }

  private mutating func change(_ key: LaneKey, _ body: (inout LaneDraft) -> Void) {
    body(&lanes[key, default: LaneDraft()])
  }

  // MARK: Result

  /// Returns the lanes in the order of their subjects; those of sources in the order of appearance.
  func finishedLanes() -> [LifecycleTimeline.Lane] {
    LifecycleTimeline.Lane.Subject.allCases.flatMap { subject -> [LifecycleTimeline.Lane] in
      let sources: [LaneKey.Source?] = subject == .source ? sources + [.others] : [nil]
      return sources.map { LaneKey(subject: subject, source: $0) }
        .compactMap { lanes[$0]?.finished($0) }
    }
  }
}
