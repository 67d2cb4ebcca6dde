import LifecycleFlightRecording
import ReactiveLifecycle

/// What lasts: connections, observers and activities.
extension RunBuilder {
  func lane(_ id: Int) -> LaneKey.Source {
    if id == 0 { return .program }
    guard let source = sources[id]?.source else { return .named("source \(id)") }
    return .named(
      source.role == .participant(.application)
        ? source.name.rawValue : "\(source.name) (\(source.role))"
    )
  }

  func laneName(_ id: Int) -> String { lane(id).name }

  func addConnection(_ id: Int, until time: Double, in lanes: inout TimelineBuilder) {
    guard let (source, since) = sources[id] else { return }
    let duration = TimeText.duration(time - since)
    let part = source.whole.map { ", part of \(laneName($0))" } ?? ""
    let detail = "\(laneName(id)) connected for \(duration) as \(source.role)\(part)"
    let span = SpanDraft(
      start: since,
      end: max(time, since),
      style: .connected,
      label: "",
      detail: detail
    )
    lanes.span(lanes.sourceLane(lane(id)), span)
  }

  mutating func changeObservers(
    at time: Double,
    in lanes: inout TimelineBuilder,
    _ change: (inout Set<Int>) -> Void
  ) {
    let old = observers.count
    change(&observers)
    if let since = observersSince, old > 0, time > since {
      let span = SpanDraft(
        start: since,
        end: time,
        style: .observers,
        label: "\(old)",
        detail: LifecycleTimeline.count(old, "observer"),
        level: old
      )
      lanes.span(LaneKey(subject: .observers), span)
    }
    observersSince = max(time, observersSince ?? time)
  }

  mutating func add(
    _ activity: FlightActivity,
    at time: Double,
    in lanes: inout TimelineBuilder
  ) {
    let key = activity.key
    if let lasting = activities.removeValue(forKey: key) {
      let outcome = if case .ended(let outcome) = activity.change { outcome } else { "" }
      addSpan(of: activity.kind, lasting, until: time, outcome: outcome, in: &lanes)
    } else if case .ended(let outcome) = activity.change {
      let lasting = Lasting(start: start, name: activity.name)
      addSpan(of: activity.kind, lasting, until: time, outcome: outcome, in: &lanes)
    }
    switch activity.change {
    case .began, .resumed: activities[key] = Lasting(start: time, name: activity.name)
    case .paused: activities[key] = Lasting(start: time, name: activity.name, isPaused: true)
    case .ended: break
    }
  }

  func addSpan(
    of kind: FlightActivity.Kind,
    _ lasting: Lasting,
    until time: Double,
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
    let duration = TimeText.duration(max(time - lasting.start, 0))
    let span = SpanDraft(
      start: lasting.start,
      end: max(time, lasting.start),
      style: lasting.isPaused ? .paused : style,
      label: (lasting.name.isEmpty ? kind.title("") : lasting.name) + suffix,
      detail: "\(kind.title(lasting.name))\(suffix), \(duration)"
    )
    lanes.span(LaneKey(subject: subject), span)
  }
}
