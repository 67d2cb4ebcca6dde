import LifecycleCore
import LifecycleFlightRecording

/// Follows one run, and adds what happens to the lanes.
struct RunBuilder {
  private struct Lasting {
    var start: Duration
    var name: String
    var isPaused = false
  }

  private let process: FlightRecording.Process
  private let origin: LifecycleInstant
  /// The time of the run's start on the axis.
  private let start: Duration
  /// The latest time so far.
  private(set) var now: Duration
  private var phase: LifecyclePhase
  private var phaseStart: Duration
  private var awaySince: Duration?
  private var previous: LifecycleInstant
  private var sources: [Int: (source: FlightSource, since: Duration)] = [:]
  private var activities: [FlightActivity.Key: Lasting] = [:]
  private var observers: Set<Int> = []
  private var observersSince: Duration?
  private var isEnded = false
  private var count = 0
  /// The number of records whose lines are damaged.
  var damaged = 0
  /// The number of records that were dropped.
  private var dropped: Int

  init(_ recording: FlightRecording, at start: Duration) {
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
  func time(of instant: LifecycleInstant) -> Duration {
    min(start + max(instant.continuous - origin.continuous, .zero), TimeAxis.longest)
  }

  mutating func begin(with connected: [FlightSource], in lanes: inout TimelineBuilder) {
    for source in connected {
      sources[source.id] = (source, now)
      lanes.sourceLane(lane(source.id))
    }
  }

  /// Continues with a later part of the same run. What lasts continues; the phase in between is not
  /// known.
  mutating func resume(with recording: FlightRecording, in lanes: inout TimelineBuilder) {
    let (last, next) = (now, recording.start)
    addSleep(until: next.instant, in: &lanes)
    now = max(now, time(of: next.instant))
    dropped = max(dropped, next.dropped - count - damaged)
    if next.phase != phase || now > last {
      addPhase(until: last, in: &lanes)
      phaseStart = now
    }
    if next.phase != .background {
      endStay(at: last, outcome: " or longer", in: &lanes)
    } else if awaySince == nil {
      awaySince = now
    }
    phase = next.phase
    let remaining = Set(next.sources.map(\.id))
    for id in sources.keys.sorted() where !remaining.contains(id) {
      addConnection(id, until: last, in: &lanes)
      sources[id] = nil
    }
    begin(with: next.sources.filter { sources[$0.id] == nil }, in: &lanes)
  }

  mutating func add(_ record: FlightRecord, in lanes: inout TimelineBuilder) {
    let time = time(of: record.instant)
    addSleep(until: record.instant, in: &lanes)
    now = max(now, time)
    count += 1
    if case .connected(let source) = record.content { sources[source.id] = (source, time) }
    let detail = RecordText.detail(of: record.content) { lane($0).name }
    let style = LifecycleTimeline.Style(of: record.content)
    var entry = LifecycleTimeline.Entry(time: time, detail: detail, style: style)
    if case .event(let event) = record.content { entry.sequenceNumber = event.sequenceNumber }
    let number = lanes.append(entry)
    func mark(_ key: LaneKey, label: String = "") {
      lanes.mark(key, style, at: time, label: label, detail: detail, record: number)
    }
    switch record.content {
    case .connected(let source):
      lanes.sourceLane(lane(source.id))
    case .disconnected(let id):
      addConnection(id, until: time, in: &lanes)
      sources[id] = nil
    case .input(let input):
      mark(lanes.sourceLane(lane(input.source)), label: input.suppressed?.rawValue ?? "")
    case .event(let event) where event.kind.isTransition:
      mark(LaneKey(subject: .events), label: event.kind.rawValue)
      move(by: event, at: time, in: &lanes)
    case .event(let event) where event.kind == .systemWillSleep || event.kind == .systemDidWake:
      mark(LaneKey(subject: .sleep))
    case .event(let event):
      mark(LaneKey(subject: .notices), label: event.kind.shortName)
    case .observerAdded(let id, _):
      changeObservers(at: time, in: &lanes) { $0.insert(id) }
    case .observerRemoved(let id):
      guard observers.contains(id) else { break }
      changeObservers(at: time, in: &lanes) { $0.remove(id) }
    case .overrun:
      mark(LaneKey(subject: .notices), label: "overrun")
    case .activity(let activity): add(activity, at: time, in: &lanes)
    case .note(let text):
      mark(LaneKey(subject: .notes), label: text)
    case .ended:
      isEnded = true
      endStay(at: time, outcome: ", until the end", in: &lanes)
      mark(LaneKey(subject: .process))
    }
  }

  /// Ends what lasts, and adds the run.
  mutating func finish(isLast: Bool, in lanes: inout TimelineBuilder) {
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
    let detail = "\(name), \((now - start).shortText), \(ending)\(missing)"
    let key = LaneKey(subject: .process)
    lanes.span(key, .run, from: start, until: now, label: name, detail: detail)
    if !isEnded, !isLast {
      let detail = "\(name) was killed: its recording has no end"
      lanes.mark(key, .killed, at: now, detail: detail, record: nil)
    }
  }

  // MARK: The phase

  private mutating func move(
    by event: LifecycleEvent,
    at time: Duration,
    in lanes: inout TimelineBuilder
  ) {
    if event.kind == .didEnterBackground { awaySince = time }
    if let stay = event.backgroundStay {
      let duration = min(stay.timeAway, time - start)
      let label = duration.shortText
      addStay(from: time - duration, until: time, label: label, detail: "\(stay)", in: &lanes)
    }
    if event.phase.isForeground || event.backgroundStay != nil { awaySince = nil }
    if event.phase == .terminated { endStay(at: time, outcome: ", until the end", in: &lanes) }
    guard event.phase != phase else { return }
    addPhase(until: max(time, phaseStart), in: &lanes)
    phase = event.phase
    phaseStart = max(time, phaseStart)
  }

  private func addPhase(until time: Duration, in lanes: inout TimelineBuilder) {
    guard time > phaseStart, let style = LifecycleTimeline.Style(phase) else { return }
    lanes.span(
      LaneKey(subject: .phase),
      style,
      from: phaseStart,
      until: time,
      label: phase.rawValue,
      detail: "\(phase) for \((time - phaseStart).shortText)"
    )
  }

  /// Ends a stay that no event of a return ends.
  private mutating func endStay(
    at time: Duration,
    outcome: String,
    in lanes: inout TimelineBuilder
  ) {
    guard let since = awaySince else { return }
    awaySince = nil
    guard phase == .background, time > since else { return }
    let label = (time - since).shortText
    let detail = "in the background for \(label)\(outcome)"
    addStay(from: since, until: time, label: label, detail: detail, in: &lanes)
  }

  private func addStay(
    from start: Duration,
    until end: Duration,
    label: String,
    detail: String,
    in lanes: inout TimelineBuilder
  ) {
    let key = LaneKey(subject: .background)
    lanes.span(key, .stay, from: start, until: end, label: label, detail: detail)
  }

  /// Adds the time that the machine slept since the record before: it is the difference of the two
  /// clocks, and most likely ended just before this record.
  private mutating func addSleep(
    until instant: LifecycleInstant,
    in lanes: inout TimelineBuilder
  ) {
    let (time, stay) = (time(of: instant), BackgroundStay(from: previous, to: instant))
    previous = instant
    let duration = min(stay.timeAsleep, time - start)
    guard duration >= .milliseconds(10) else { return }
    let label = duration.shortText
    lanes.span(
      LaneKey(subject: .sleep),
      .asleep,
      from: time - duration,
      until: time,
      label: label,
      detail: "the machine slept for \(label)"
    )
  }

  // MARK: Connections, observers and activities

  private func lane(_ id: Int) -> LaneKey.Source {
    if id == 0 { return .program }
    guard let source = sources[id]?.source else { return .named("source \(id)") }
    return .named(
      source.role == .participant(.application)
        ? source.name.rawValue : "\(source.name) (\(source.role))"
    )
  }

  private func addConnection(_ id: Int, until time: Duration, in lanes: inout TimelineBuilder) {
    guard let (source, since) = sources[id] else { return }
    let lane = lane(id)
    let part = source.whole.map { ", part of \(self.lane($0).name)" } ?? ""
    lanes.span(
      lanes.sourceLane(lane),
      .connected,
      from: since,
      until: max(time, since),
      label: "",
      detail: "\(lane.name) connected for \((time - since).shortText) as \(source.role)\(part)"
    )
  }

  private mutating func changeObservers(
    at time: Duration,
    in lanes: inout TimelineBuilder,
    _ change: (inout Set<Int>) -> Void
  ) {
    let old = observers.count
    change(&observers)
    if let since = observersSince, old > 0, time > since {
      lanes.span(
        LaneKey(subject: .observers),
        .observers,
        from: since,
        until: time,
        label: "\(old)",
        detail: LifecycleTimeline.count(old, "observer"),
        level: old
      )
    }
    observersSince = max(time, observersSince ?? time)
  }

  private mutating func add(
    _ activity: FlightActivity,
    at time: Duration,
    in lanes: inout TimelineBuilder
  ) {
    let key = activity.key
    let outcome: String? = if case .ended(let outcome) = activity.change { outcome } else { nil }
    // What ends without a beginning began before the recording.
    if let lasting = activities.removeValue(forKey: key)
      ?? outcome.map({ _ in Lasting(start: start, name: activity.name) })
    {
      addSpan(of: activity.kind, lasting, until: time, outcome: outcome ?? "", in: &lanes)
    }
    if outcome == nil {
      let isPaused = activity.change == .paused
      activities[key] = Lasting(start: time, name: activity.name, isPaused: isPaused)
    }
  }

  private func addSpan(
    of kind: FlightActivity.Kind,
    _ lasting: Lasting,
    until time: Duration,
    outcome: String,
    in lanes: inout TimelineBuilder
  ) {
    let (subject, style): (LifecycleTimeline.Lane.Subject, LifecycleTimeline.Style) =
      switch kind {
      case .countdown: (.countdowns, .countdown)
      case .backgroundTask: (.backgroundTasks, .task)
      case .fetch: (.fetches, .fetch)
      }
    let suffix = lasting.isPaused ? " (paused)" : outcome.isEmpty ? "" : ": \(outcome)"
    let end = max(time, lasting.start)
    lanes.span(
      LaneKey(subject: subject),
      lasting.isPaused ? .paused : style,
      from: lasting.start,
      until: end,
      label: (lasting.name.isEmpty ? kind.title("") : lasting.name) + suffix,
      detail: "\(kind.title(lasting.name))\(suffix), \((end - lasting.start).shortText)"
    )
  }
}
