import LifecycleFlightRecording
import ReactiveLifecycle

/// Follows one run, and adds what happens to the lanes.
struct RunBuilder {
  struct Lasting {
    var start: Double
    var name: String
    var isPaused = false
  }

  let process: FlightRecording.Process
  private let origin: LifecycleInstant
  /// The time of the run's start on the axis, in seconds.
  let start: Double
  /// The latest time so far.
  var now: Double
  var phase: LifecyclePhase
  var phaseStart: Double
  var awaySince: Double?
  var previous: LifecycleInstant
  var sources: [Int: (source: FlightSource, since: Double)] = [:]
  var activities: [FlightActivity.Key: Lasting] = [:]
  var observers: Set<Int> = []
  var observersSince: Double?
  var isEnded = false
  var count = 0
  /// The number of records whose lines are damaged.
  var damaged = 0
  /// The number of records that were dropped.
  var dropped: Int

  init(_ recording: FlightRecording, at start: Double) {
    process = recording.process
    origin = recording.start.instant
    dropped = max(recording.start.dropped, 0)
    self.start = start
    now = start
    phase = recording.start.phase
    phaseStart = start
    awaySince = phase == .background ? start : nil
    previous = recording.start.instant
  }

  /// Returns the time of an instant on the axis: never before the run's start.
  func time(of instant: LifecycleInstant) -> Double {
    let elapsed = (instant.continuous - origin.continuous) / .seconds(1)
    return min(start + max(elapsed, 0), TimeAxis.longest)
  }

  mutating func begin(with connected: [FlightSource], in lanes: inout TimelineBuilder) {
    for source in connected {
      sources[source.id] = (source, now)
      _ = lanes.sourceLane(lane(source.id))
    }
  }

  mutating func add(_ record: FlightRecord, in lanes: inout TimelineBuilder) {
    let time = time(of: record.instant)
    addSleep(until: record.instant, at: time, in: &lanes)
    now = max(now, time)
    count += 1
    if case .connected(let source) = record.content { sources[source.id] = (source, time) }
    let detail = RecordText.detail(of: record.content, name: laneName)
    let style = LifecycleTimeline.Style(of: record.content)
    let number = lanes.append(record.content, style, at: time, detail: detail)
    switch record.content {
    case .connected(let source):
      _ = lanes.sourceLane(lane(source.id))
    case .disconnected(let id):
      addConnection(id, until: time, in: &lanes)
      sources[id] = nil
    case .input(let input):
      let lane = lanes.sourceLane(lane(input.source))
      let label = input.suppressed?.rawValue ?? ""
      lanes.mark(lane, style, at: time, label: label, detail: detail, record: number)
    case .event(let event):
      add(event, style, at: time, detail: detail, record: number, in: &lanes)
    case .observerAdded(let id, _):
      changeObservers(at: time, in: &lanes) { $0.insert(id) }
    case .observerRemoved(let id):
      guard observers.contains(id) else { break }
      changeObservers(at: time, in: &lanes) { $0.remove(id) }
    case .activity(let activity): add(activity, at: time, in: &lanes)
    case .note(let text):
      let key = LaneKey(subject: .notes)
      lanes.mark(key, style, at: time, label: text, detail: detail, record: number)
    case .ended:
      isEnded = true
      endStay(at: time, outcome: ", until the end", in: &lanes)
      let key = LaneKey(subject: .process)
      lanes.mark(key, style, at: time, detail: detail, record: number)
    }
  }

  /// Ends what lasts, and returns the run.
  mutating func finish(isLast: Bool, in lanes: inout TimelineBuilder) -> LifecycleTimeline.Run {
    addPhase(until: now, in: &lanes)
    endStay(at: now, outcome: " or longer", in: &lanes)
    for id in sources.keys.sorted() { addConnection(id, until: now, in: &lanes) }
    let open = activities.sorted {
      ($0.value.start, $0.key) < ($1.value.start, $1.key)
    }
    for (key, lasting) in open {
      let outcome = isEnded ? "the process ended first" : "no end recorded"
      addSpan(of: key.kind, lasting, until: now, outcome: outcome, in: &lanes)
    }
    changeObservers(at: now, in: &lanes) { _ in }
    let name = "\(process.shortName) \(process.id)"
    let ending =
      isEnded ? "ended" : isLast ? "no end recorded: still running, or killed" : "killed"
    let missing = dropped > 0 ? ", \(LifecycleTimeline.count(dropped, "record")) dropped" : ""
    let detail = "\(name), \(TimeText.duration(now - start)), \(ending)\(missing)"
    let key = LaneKey(subject: .process)
    lanes.span(key, SpanDraft(start: start, end: now, style: .run, label: name, detail: detail))
    if !isEnded, !isLast {
      let detail = "\(name) was killed: its recording has no end"
      lanes.mark(key, .killed, at: now, label: "", detail: detail, record: nil)
    }
    return LifecycleTimeline.Run(
      name: name,
      start: .seconds(start),
      end: .seconds(now),
      isEnded: isEnded,
      count: count
    )
  }

  // MARK: Events

  private mutating func add(
    _ event: LifecycleEvent,
    _ style: LifecycleTimeline.Style,
    at time: Double,
    detail: String,
    record: Int,
    in lanes: inout TimelineBuilder
  ) {
    guard event.kind.isTransition else {
      let isSleep = event.kind == .systemWillSleep || event.kind == .systemDidWake
      let key = LaneKey(subject: isSleep ? .sleep : .notices)
      let label = isSleep ? "" : event.kind.shortName
      lanes.mark(key, style, at: time, label: label, detail: detail, record: record)
      return
    }
    lanes.mark(
      LaneKey(subject: .events),
      style,
      at: time,
      label: event.kind.rawValue,
      detail: detail,
      record: record
    )
    if event.kind == .didEnterBackground { awaySince = time }
    if let stay = event.backgroundStay {
      let seconds = min(stay.duration / .seconds(1), time - start)
      let label = TimeText.duration(seconds)
      addStay(from: time - seconds, until: time, label: label, detail: "\(stay)", &lanes)
    }
    if event.phase.isForeground || event.backgroundStay != nil { awaySince = nil }
    if event.phase == .terminated { endStay(at: time, outcome: ", until the end", in: &lanes) }
    guard event.phase != phase else { return }
    addPhase(until: max(time, phaseStart), in: &lanes)
    phase = event.phase
    phaseStart = max(time, phaseStart)
  }

  func addPhase(until time: Double, in lanes: inout TimelineBuilder) {
    guard time > phaseStart, let style = LifecycleTimeline.Style(phase) else { return }
    let detail = "\(phase) for \(TimeText.duration(time - phaseStart))"
    let span = SpanDraft(
      start: phaseStart,
      end: time,
      style: style,
      label: phase.rawValue,
      detail: detail
    )
    lanes.span(LaneKey(subject: .phase), span)
  }

  /// Ends a stay that no event of a return ends.
  mutating func endStay(
    at time: Double,
    outcome: String,
    in lanes: inout TimelineBuilder
  ) {
    guard let since = awaySince else { return }
    awaySince = nil
    guard phase == .background, time > since else { return }
    let label = TimeText.duration(time - since)
    let detail = "in the background for \(label)\(outcome)"
    addStay(from: since, until: time, label: label, detail: detail, &lanes)
  }

  private func addStay(
    from start: Double,
    until end: Double,
    label: String,
    detail: String,
    _ lanes: inout TimelineBuilder
  ) {
    let span = SpanDraft(start: start, end: end, style: .stay, label: label, detail: detail)
    lanes.span(LaneKey(subject: .background), span)
  }

  /// Adds the time that the machine slept since the record before: it is the difference of the two
  /// clocks, and most likely ended just before this record.
  mutating func addSleep(
    until instant: LifecycleInstant,
    at time: Double,
    in lanes: inout TimelineBuilder
  ) {
    let stay = BackgroundStay(from: previous, to: instant)
    previous = instant
    let seconds = min(stay.timeAsleep / .seconds(1), time - start)
    guard seconds >= 0.01 else { return }
    let label = TimeText.duration(seconds)
    let span = SpanDraft(
      start: time - seconds,
      end: time,
      style: .asleep,
      label: label,
      detail: "the machine slept for \(label)"
    )
    lanes.span(LaneKey(subject: .sleep), span)
  }
}
