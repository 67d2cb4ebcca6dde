package import ReactiveLifecycle

/// A step of a replay, and the instant at which it happened.
package struct ReplayStep: Hashable, Sendable {
  /// What a source does, or the program itself, whose number is 0.
  package enum Action: Hashable, Sendable {
    case connect(FlightSource)
    case disconnect(source: Int)
    case send(LifecycleEvent.Kind, from: Int, metadata: [String: String] = [:])
    /// Time passes until the instant, but no source does anything.
    case pass
  }

  package var instant: LifecycleInstant
  package var action: Action

  package init(_ action: Action, at instant: LifecycleInstant) {
    self.instant = instant
    self.action = action
  }
}

extension FlightRecording {
  /// The recording from its first cause on: without the events at the beginning whose input, or
  /// whose source's disconnection, was dropped.
  package var withoutEffectsOfDropped: FlightRecording {
    var recording = self
    let sources = Set(start.sources.map(\.id))
    let rest = records.prefix { record in
      switch record.content {
      case .event: true
      // A part of the source.
      case .disconnected(let source): !sources.contains(source)
      default: false
      }
    }
    for record in rest { recording.start.advance(past: record) }
    recording.start.dropped += rest.count
    recording.records.removeFirst(rest.count)
    return recording
  }

  /// The steps of a replay, one for each record.
  package var replaySteps: [ReplayStep] {
    records.map { record in
      ReplayStep(record.replayAction, at: record.instant)
    }
  }
}

extension FlightRecord {
  fileprivate var replayAction: ReplayStep.Action {
    switch content {
    case .connected(let source): .connect(source)
    case .disconnected(let source): .disconnect(source: source)
    case .input(let input): .send(input.kind, from: input.source, metadata: input.metadata)
    case .event, .observerAdded, .observerRemoved, .activity, .note, .ended: .pass
    }
  }
}
