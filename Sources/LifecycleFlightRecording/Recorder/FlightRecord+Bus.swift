import ReactiveLifecycle

// What a bus tells its taps, in the form of a recording.

extension FlightRecord.Content {
  init(_ occurrence: BusOccurrence) {
    switch occurrence {
    case .connected(let source): self = .connected(FlightSource(source))
    case .disconnected(let source): self = .disconnected(source: source)
    case .input(let input):
      self = .input(
        FlightInput(
          input.kind,
          from: input.source,
          metadata: input.metadata,
          suppressed: input.suppressed
        )
      )
    case .event(let event): self = .event(event)
    case .observerAdded(let id, let location):
      self = .observerAdded(FlightObserver(id: id, location: location))
    case .observerRemoved(let id): self = .observerRemoved(observer: id)
    case .activity(let activity): self = .activity(FlightActivity(activity))
    case .ended: self = .ended
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
