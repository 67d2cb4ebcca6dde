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
  public var parties: [Party]
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

  /// A party, and the sources that share it.
  public struct Party: Sendable, Hashable {
    /// Which party.
    public var name: LifecycleParty
    /// How far forward it is: `unknown` before its first transition, `terminated` after its
    /// `willTerminate`; it has no say then.
    public var phase: LifecyclePhase
    /// Its sources, in order of connection. The program's own
    /// ``LifecycleBusProtocol/send(_:at:userInfo:)`` is one, once it was used.
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
  var diagnosedParties: [LifecycleDiagnostics.Party] {
    var sourcesByParty: [LifecycleParty: [LifecycleDiagnostics.Source]] = [:]
    for source in sources where source.id != Self.ownID || source.lastInput != nil {
      guard let party = source.role.party else { continue }
      sourcesByParty[party, default: []].append(source.diagnosed)
    }
    return sourcesByParty.sorted { $0.key.rawValue < $1.key.rawValue }.map { party, sources in
      LifecycleDiagnostics.Party(
        name: party,
        phase: party == .application ? application : parties[party, default: .unknown],
        sources: sources
      )
    }
  }

  var diagnosedCeilings: [LifecycleDiagnostics.Ceiling] {
    sources.filter { $0.role == .ceiling }.map {
      LifecycleDiagnostics.Ceiling(phase: $0.ceiling, source: $0.diagnosed)
    }
  }
}

extension PhaseAggregate.Source {
  fileprivate var diagnosed: LifecycleDiagnostics.Source {
    LifecycleDiagnostics.Source(
      origin: origin,
      lastInput: lastInput.map {
        LifecycleDiagnostics.Input(kind: $0.kind, instant: $0.instant, suppressed: $0.suppressed)
      }
    )
  }
}
