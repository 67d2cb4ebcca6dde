package import LifecycleCore

/// A step of a replay, and the instant at which it happened.
package struct ReplayStep: Equatable, Sendable {
  /// An act of a source, or of the program itself, whose number is 0.
  package enum Action: Equatable, Sendable {
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
    case .event, .observerAdded, .observerRemoved, .overrun, .activity, .note, .ended: .pass
    }
  }
}

// A recording may start in the middle of a life. A new bus is brought to the state at its start.

extension FlightRecording {
  /// The steps that bring a new bus to the state before the first record: its sources, what they
  /// have reported, and its phase. Each source that has a record is among those of the opening or
  /// of the records.
  package var openingSteps: [ReplayStep] {
    unrecordedSources.map { ReplayStep($0, at: start.instant) } + stateSteps
  }

  /// Connects stand-ins for the sources that the recording does not introduce: those that were
  /// disconnected before its start, and those whose introduction is damaged.
  private var unrecordedSources: [ReplayStep.Action] {
    var known = Set(start.sources.map(\.id)).union([0])
    var actions: [ReplayStep.Action] = []
    for record in records {
      switch record.content {
      case .connected(let source): known.insert(source.id)
      case .input(let input) where known.insert(input.source).inserted:
        let source = FlightSource(id: input.source, name: .unrecorded(input.source))
        actions.append(.connect(source))
        if input.suppressed == .disconnected { actions.append(.disconnect(source: source.id)) }
      default: break
      }
    }
    return actions
  }

  /// The bus arrives by upward steps alone, or its next return to the foreground would end a stay.
  /// If it has to end one, the bus goes to the foreground first, and then to the background at the
  /// instant at which the stay began.
  private var stateSteps: [ReplayStep] {
    guard start.phase != .terminated else {
      return [ReplayStep(.send(.willTerminate, from: 0), at: start.instant)]
    }
    let stayStart = start.phase == .background ? firstStayStart : nil
    var up: [ReplayStep] = []
    var down: [ReplayStep] = []
    for (source, phase) in reporters {
      if phase == .background, let stayStart {
        up.append(ReplayStep(.send(.willEnterForeground, from: source), at: stayStart))
        down.append(ReplayStep(.send(.didEnterBackground, from: source), at: stayStart))
      } else if let kind = phase.arrival {
        up.append(ReplayStep(.send(kind, from: source), at: stayStart ?? start.instant))
      }
    }
    let connections = start.sources + (isPhaseLeft ? [Self.formerSource] : [])
    let ends = isPhaseLeft ? participantEnds + [.disconnect(source: Self.formerSource.id)] : []
    return connections.map { ReplayStep(.connect($0), at: start.instant) } + up + down
      + ends.map { ReplayStep($0, at: start.instant) }
  }

  /// The ends of the participants that have ended, whose phase the former source holds meanwhile.
  private var participantEnds: [ReplayStep.Action] {
    var ended: Set<LifecycleRole> = []
    return start.sources.filter { $0.phase == .terminated && ended.insert($0.role).inserted }
      .map { .send(.willTerminate, from: $0.id) }
  }

  /// A source that stands for those that left the bus in its phase, and were disconnected.
  private static let formerSource = FlightSource(
    id: -1,
    name: "former source",
    role: .participant("former source")
  )

  /// A Boolean value that indicates whether the phase follows from no report of a connected source
  /// or the program.
  private var isPhaseLeft: Bool {
    start.phase != .unknown && start.program == .unknown
      && start.sources.allSatisfy { $0.phase <= .unknown }
  }

  /// The sources that have to report, and the phases of their participants and ceilings: one for
  /// each participant, the lowest phases first.
  private var reporters: [(source: Int, phase: LifecyclePhase)] {
    guard !isPhaseLeft else { return [(Self.formerSource.id, start.phase)] }
    var reporters: [(source: Int, role: LifecycleRole, phase: LifecyclePhase)] = []
    if start.program != .unknown {
      reporters.append((0, .participant(.application), start.program))
    }
    for source in start.sources where source.phase != .unknown {
      let isKnown = source.role != .ceiling && reporters.contains { $0.role == source.role }
      if !isKnown { reporters.append((source.id, source.role, source.phase)) }
    }
    return reporters.sorted { $0.phase < $1.phase }.map { ($0.source, $0.phase) }
  }

  /// The beginning of the stay that the first return to the foreground ends.
  private var firstStayStart: LifecycleInstant? {
    for record in records {
      guard case .event(let event) = record.content, event.kind == .willEnterForeground else {
        continue
      }
      return event.backgroundStay.map { $0.start(returningAt: event.instant) }
    }
    return start.instant
  }
}

extension LifecycleSourceName {
  /// The name of a source that the recording does not introduce.
  package static func unrecorded(_ id: Int) -> Self {
    Self(rawValue: "source \(id)")
  }
}

extension LifecyclePhase {
  /// The kind of the upward transition that leads to the phase.
  fileprivate var arrival: LifecycleEvent.Kind? {
    switch self {
    case .background: .didFinishLaunching
    case .inactive: .willEnterForeground
    case .active: .didBecomeActive
    case .terminated: .willTerminate
    case .unknown: nil
    }
  }
}

extension BackgroundStay {
  /// Returns the instant at which the stay began.
  fileprivate func start(returningAt end: LifecycleInstant) -> LifecycleInstant {
    LifecycleInstant(
      continuous: end.continuous + (.zero - timeAway.clamped),
      timeAwake: end.timeAwake.clamped - (timeAway - timeAsleep).clamped,
      timeSince1970: end.timeSince1970.clamped - timeAway.clamped - wallClockShift.clamped
    )
  }
}
