import ReactiveLifecycle

// What a bus tells its taps, in the form of a recording.

extension FlightRecord {
  init(_ record: BusRecord) {
    self.init(Content(record), at: record.instant)
  }
}

extension FlightRecord.Content {
  fileprivate init(_ record: BusRecord) {
    switch record.content {
    case .input(let kind, let source, let reason):
      self = .input(
        FlightInput(kind, from: source, metadata: record.metadata, suppressed: reason)
      )
    case .event(let event):
      self = .event(
        LifecycleEvent(
          kind: event.kind,
          previousPhase: event.previousPhase,
          phase: event.phase,
          sequenceNumber: event.sequenceNumber,
          instant: record.instant,
          origin: event.origin,
          backgroundStay: event.backgroundStay,
          metadata: record.metadata
        )
      )
    case .disconnected(let source): self = .disconnected(source: source)
    case .observerRemoved(let id): self = .observerRemoved(observer: id)
    case .ended: self = .ended
    case .detailed: self.init(record.detail!)
    }
  }

  private init(_ detail: BusRecord.Detail) {
    switch detail {
    case .connected(let source): self = .connected(FlightSource(source))
    case .observerAdded(let id, let location):
      self = .observerAdded(FlightObserver(id: id, location: location))
    case .activity(let activity): self = .activity(FlightActivity(activity))
    case .note(let text): self = .note(text)
    }
  }
}

extension FlightRecording.Start {
  init(_ bus: BusState, at instant: LifecycleInstant) {
    self.init(
      at: instant,
      phase: bus.phase,
      program: bus.ownPhase,
      sources: bus.sources.map(FlightSource.init)
    )
  }
}

extension FlightSource {
  fileprivate init(_ source: BusSource) {
    self.init(
      id: source.id,
      name: source.name,
      role: source.role,
      whole: source.whole,
      phase: source.phase
    )
  }
}

extension FlightActivity {
  fileprivate init(_ activity: BusActivity) {
    let kind: Kind =
      switch activity.kind {
      case .countdown: .countdown
      case .backgroundTask: .backgroundTask
      case .fetch: .fetch
      }
    let change: Change =
      switch activity.change {
      case .began: .began
      case .paused: .paused
      case .resumed: .resumed
      case .ended(let outcome): .ended(outcome)
      }
    self.init(kind, id: activity.id, name: activity.name, change)
  }
}
