import ReactiveLifecycle

extension FlightRecording.Start {
  /// Moves the start past a record, so that a recording that begins after it is complete.
  ///
  /// - Complexity: O(1) for an event; O(*n*) in the number of sources for their reports.
  package mutating func advance(past record: FlightRecord) {
    instant = record.instant
    switch record.content {
    case .event(let event): phase = event.phase
    case .input(let input): advance(past: input)
    case .connected(let source): sources.append(source)
    case .disconnected(let source): disconnect(source)
    case .observerAdded, .observerRemoved, .activity, .note, .ended: break
    }
  }

  /// Moves the participant or the ceiling that an input reports on.
  private mutating func advance(past input: FlightInput) {
    guard let target = input.kind.targetPhase else { return }
    let moves = input.suppressed == nil || input.suppressed == .masked
    guard input.source != 0 else {
      if moves {
        program = target
        moveSources(of: .participant(.application), to: target)
      } else if input.suppressed == .duplicate, program == .unknown {
        // A source has already reported this, and from now on the program has, too.
        program = sources.first { $0.role == .participant(.application) }?.phase ?? target
      }
      return
    }
    guard moves, let index = sources.firstIndex(where: { $0.id == input.source }) else { return }
    let role = sources[index].role
    guard role != .ceiling else { return sources[index].phase = target }
    moveSources(of: role, to: target)
    if role == .participant(.application), program != .unknown { program = target }
  }

  private mutating func moveSources(of role: LifecycleRole, to phase: LifecyclePhase) {
    for index in sources.indices where sources[index].role == role {
      sources[index].phase = phase
    }
  }

  /// Removes a source and its parts.
  private mutating func disconnect(_ source: Int) {
    var rest = [source]
    while let id = rest.popLast() {
      // First, so that this ends even if a source is a part of itself.
      sources.removeAll { $0.id == id }
      rest += sources.filter { $0.whole == id }.map(\.id)
    }
  }
}
