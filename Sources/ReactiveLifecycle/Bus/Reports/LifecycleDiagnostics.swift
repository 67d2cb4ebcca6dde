/// What a bus knows and does at one moment, for a log or a test's snapshot; custom-dump prints it
/// readably.
///
/// ```swift
/// customDump(bus.diagnostics)
/// ```
public struct LifecycleDiagnostics: Sendable, Hashable {
  /// The phase that the observers have been told of last.
  public var phase: LifecyclePhase
  /// Who says how far forward the process is, by name.
  public var participants: [Participant]
  /// Who says how far forward it may be, in order of connection.
  public var ceilings: [Ceiling]
  /// How many inputs were suppressed, by reason.
  public var suppressedCounts: [SuppressedInput.Reason: Int]
  /// Who observes, in order of registration.
  public var liveSubscriptions: [LiveSubscription]
  /// Whether a delivery is under way.
  public var isDelivering: Bool
  /// The observer that is being called.
  public var runningObserver: LifecycleObserverLocation?

  /// A participant, and the sources that share it.
  public struct Participant: Sendable, Hashable {
    /// Which participant.
    public var name: LifecycleParticipant
    /// How far forward it is: `unknown` before its first transition, `terminated` after its
    /// `willTerminate`; it has no say then.
    public var phase: LifecyclePhase
    /// Its sources, in order of connection. The program's own
    /// ``LifecycleBusProtocol/send(_:at:metadata:)`` is one, once it was used.
    public var sources: [Source]
  }

  /// A source that says how far forward the process may be.
  public struct Ceiling: Sendable, Hashable {
    /// How far forward it lets the process be; `unknown` before its first transition: no say.
    public var phase: LifecyclePhase
    /// Who says so.
    public var source: Source
  }

  /// A connected source.
  public struct Source: Sendable, Hashable {
    /// The origin of the events that it causes.
    public var origin: LifecycleEvent.Origin
    /// What it reported last.
    public var lastInput: Input?
  }

  /// What a source reported.
  public struct Input: Sendable, Hashable {
    /// What happened.
    public var kind: LifecycleEvent.Kind
    /// When it happened.
    public var instant: LifecycleInstant
    /// Why no observer saw it; nil if they did, or will.
    public var suppressed: SuppressedInput.Reason?
  }
}

extension PhaseAggregate {
  var diagnosedParticipants: [LifecycleDiagnostics.Participant] {
    var participants = contributions.compactMap { contribution in
      contribution.role.participant.map {
        LifecycleDiagnostics.Participant(
          name: $0,
          phase: contribution.phase,
          sources: diagnosed(contribution.role)
        )
      }
    }
    var sources = diagnosed(.presence)
    if let lastOwnInput {
      sources.insert(.init(origin: .manual, lastInput: lastOwnInput.diagnosed), at: 0)
    }
    if !sources.isEmpty {
      participants.append(.init(name: .application, phase: application, sources: sources))
    }
    return participants.sorted { $0.name.rawValue < $1.name.rawValue }
  }

  private func diagnosed(_ role: LifecycleRole) -> [LifecycleDiagnostics.Source] {
    sources.filter { $0.role == role }.map(\.diagnosed)
  }

  var diagnosedCeilings: [LifecycleDiagnostics.Ceiling] {
    zip(contributions.filter { $0.role == .ceiling }, diagnosed(.ceiling)).map {
      LifecycleDiagnostics.Ceiling(phase: $0.phase, source: $1)
    }
  }
}

extension PhaseAggregate.Source {
  fileprivate var diagnosed: LifecycleDiagnostics.Source {
    LifecycleDiagnostics.Source(origin: .source(name), lastInput: lastInput?.diagnosed)
  }
}

extension PhaseAggregate.LastInput {
  fileprivate var diagnosed: LifecycleDiagnostics.Input {
    LifecycleDiagnostics.Input(kind: kind, instant: instant, suppressed: suppressed)
  }
}
