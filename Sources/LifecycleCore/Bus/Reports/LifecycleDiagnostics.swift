/// The state and activity of a bus at one moment, for a log or a test's snapshot.
///
/// The custom-dump library prints it readably:
///
/// ```swift
/// customDump(bus.diagnostics)
/// ```
public struct LifecycleDiagnostics: Sendable, Equatable {
  /// The phase that observers were notified of last.
  public var phase: LifecyclePhase
  /// The participants, which report how far forward the process is, by name.
  public var participants: [Participant]
  /// The ceilings, which report how far forward the process may be, in order of connection.
  public var ceilings: [Ceiling]
  /// The number of inputs suppressed since the bus was created, by reason.
  public var suppressedCounts: [SuppressedInput.Reason: Int]
  /// The observers and subscribers that are registered now, for finding leaks: in order of
  /// registration, with the subscribers of ``LifecycleBusProtocol/suppressedInputs`` last.
  ///
  /// A subscriber of a publisher that is a property, such as ``LifecycleBusProtocol/events``, does
  /// not report where it was registered; one of
  /// ``LifecycleBusProtocol/publisher(for:catchUp:fileID:filePath:line:column:)`` does. A scope
  /// that stores a handle, or the `AnyCancellable` of a `sink`, is not known here.
  public var liveSubscriptions: [LiveSubscription]
  /// A Boolean value that indicates whether a delivery is under way.
  public var isDelivering: Bool
  /// The observer that is being called; nil if there is none.
  public var runningObserver: LifecycleObserverLocation?

  /// A participant, and the sources that share it.
  public struct Participant: Sendable, Equatable {
    /// The participant's name.
    public var name: LifecycleParticipant
    /// The phase that it reports: `unknown` before its first transition, `terminated` after its
    /// `willTerminate`, when it has no say.
    public var phase: LifecyclePhase
    /// Its sources, in order of connection. The inputs that the program itself sends with
    /// ``LifecycleBusProtocol/send(_:at:metadata:)`` count as one source, at the front, from the
    /// first of them on.
    public var sources: [Source]
  }

  /// A source that reports how far forward the process may be.
  public struct Ceiling: Sendable, Equatable {
    /// The furthest phase that it allows; `unknown` before its first transition, when it has no
    /// say. The parent of a new bus allows `background` until it reports.
    public var phase: LifecyclePhase
    /// The source that reports the phase.
    public var source: Source
  }

  /// A connected source, or the program itself, whose origin is `manual`.
  public struct Source: Sendable, Equatable {
    /// The origin of the events that it causes.
    public var origin: LifecycleEvent.Origin
    /// The last input that it reported.
    public var lastInput: Input?
  }

  /// An input that a source, or the program itself, reported.
  public struct Input: Sendable, Equatable {
    /// The kind of the event.
    public var kind: LifecycleEvent.Kind
    /// The instant of the event.
    public var instant: LifecycleInstant
    /// The reason why no observer received it; nil if observers have received it, or will.
    public var suppressed: SuppressedInput.Reason?
  }
}

extension LifecycleDiagnostics: CustomStringConvertible {
  /// The diagnostics in one line, without empty parts: `active; application active; ceiling
  /// source(lock) active; 3 live subscriptions; suppressed 2 duplicate; delivering to
  /// Screen.swift:12`.
  public var description: String {
    // Loops, which take much less code than chains of generic calls.
    var text = "\(phase)"
    var separator = "; "
    for participant in participants {
      text += "\(separator)\(participant.name) \(participant.phase)"
      separator = ", "
    }
    for ceiling in ceilings { text += "; ceiling \(ceiling.source.origin) \(ceiling.phase)" }
    let count = liveSubscriptions.count
    text += "; \(count) live subscription\(count == 1 ? "" : "s")"
    separator = "; suppressed "
    for reason in SuppressedInput.Reason.allCases {
      guard let count = suppressedCounts[reason], count > 0 else { continue }
      text += "\(separator)\(count) \(reason)"
      separator = ", "
    }
    if let runningObserver {
      text += "; delivering to \(runningObserver)"
    } else if isDelivering {
      text += "; delivering"
    }
    return text
  }
}

extension PhaseAggregate {
  var diagnosedParticipants: [LifecycleDiagnostics.Participant] {
    var participants: [LifecycleDiagnostics.Participant] = []
    func insert(
      _ name: LifecycleParticipant,
      _ phase: LifecyclePhase,
      _ sources: [LifecycleDiagnostics.Source]
    ) {
      participants.insert(.init(name: name, phase: phase, sources: sources)) { $0.name.rawValue }
    }
    for contribution in contributions {
      guard case .participant(let name) = contribution.role else { continue }
      insert(name, contribution.phase, diagnosed(contribution.role))
    }
    var sources = diagnosed(.participant(.application))
    if let lastOwnInput {
      sources.insert(.init(origin: .manual, lastInput: lastOwnInput.diagnosed), at: 0)
    }
    if !sources.isEmpty { insert(.application, application, sources) }
    return participants
  }

  private func diagnosed(_ role: LifecycleRole) -> [LifecycleDiagnostics.Source] {
    var diagnosed: [LifecycleDiagnostics.Source] = []
    for source in sources where source.role == role { diagnosed.append(source.diagnosed) }
    return diagnosed
  }

  var diagnosedCeilings: [LifecycleDiagnostics.Ceiling] {
    let sources = diagnosed(.ceiling)
    var ceilings: [LifecycleDiagnostics.Ceiling] = []
    for contribution in contributions
    where contribution.role == .ceiling && ceilings.count < sources.count {
      ceilings.append(.init(phase: contribution.phase, source: sources[ceilings.count]))
    }
    return ceilings
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
