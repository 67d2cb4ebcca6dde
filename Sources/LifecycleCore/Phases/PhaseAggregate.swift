import LifecycleSupport

/// The sources that determine the phase of a bus, and the phase that follows from their reports.
///
/// - Complexity: O(*n*) per input, in the number of connected sources; O(1) for an input of the
///   program itself on a bus without participants and ceilings.
struct PhaseAggregate {
  /// A source that is about to be connected.
  struct Registration {
    let name: LifecycleSourceName
    let role: LifecycleRole
    /// The furthest phase that a ceiling allows before its first transition.
    var limit = LifecyclePhase.unknown
    /// The source that it is a part of, and disconnects with.
    var whole: Int?
  }

  /// A connected source, or a part of one.
  struct Source {
    let id: Int
    let name: LifecycleSourceName
    let role: LifecycleRole
    let whole: Int?
    var lastInput: LastInput?
  }

  /// A participant, or the single source that is a ceiling.
  struct Contribution {
    let role: LifecycleRole
    /// The ceiling's source; nil for a participant, which its sources share.
    let source: Int?
    var phase = LifecyclePhase.unknown
  }

  struct LastInput {
    let kind: LifecycleEvent.Kind
    let instant: LifecycleInstant
    let suppressed: SuppressedInput.Reason?
  }

  /// The source number of the inputs that the program itself sends.
  static let ownSource = 0

  private(set) var sources: [Source] = []
  /// All contributions but that of the application.
  private(set) var contributions: [Contribution] = []
  private(set) var application = LifecyclePhase.unknown
  private(set) var lastOwnInput: LastInput?
  /// A Boolean value that indicates whether the program itself has sent a transition, which counts
  /// for as long as the bus exists.
  private var hasOwnSay = false
  private var lastID = Self.ownSource

  /// The state, for a reader without the lock of the bus.
  var unsharedForSanitizer: Self {
    var copy = self
    copy.sources = sources.unsharedForSanitizer
    copy.contributions = contributions.unsharedForSanitizer
    return copy
  }

  // MARK: Sources

  /// Connects a source, unless it is a part of one that is no longer connected.
  ///
  /// - Returns: The number of the source.
  mutating func connect(_ registration: Registration) -> Int {
    lastID += 1
    if let whole = registration.whole, !isConnected(whole) { return lastID }
    let role = registration.role
    sources.append(
      Source(id: lastID, name: registration.name, role: role, whole: registration.whole)
    )
    if role == .ceiling {
      contributions.append(Contribution(role: role, source: lastID, phase: registration.limit))
    } else if role != .participant(.application),
      !contributions.contains(where: { $0.role == role })
    {
      contributions.append(Contribution(role: role, source: nil))
    }
    return lastID
  }

  func isConnected(_ source: Int) -> Bool {
    source == Self.ownSource || sources.contains { $0.id == source }
  }

  func hasSource(as role: LifecycleRole) -> Bool {
    sources.contains { $0.role == role }
  }

  func isCeiling(_ source: Int) -> Bool {
    sources.contains { $0.id == source && $0.role == .ceiling }
  }

  /// Removes the source and its parts, and each participant with its last source.
  mutating func disconnect(_ source: Int) {
    for part in sources where part.whole == source { disconnect(part.id) }
    guard let index = sources.firstIndex(where: { $0.id == source }) else { return }
    let role = sources.remove(at: index).role
    if role == .ceiling {
      contributions.removeAll { $0.source == source }
    } else if !hasSource(as: role) {
      contributions.removeAll { $0.role == role }
      if role == .participant(.application) && !hasOwnSay { application = .unknown }
    }
  }

  /// Returns the source, if it is connected, and its parts.
  func sourceAndParts(of source: Int) -> [Int] {
    guard sources.contains(where: { $0.id == source }) else { return [] }
    return [source] + sources.filter { $0.whole == source }.flatMap { sourceAndParts(of: $0.id) }
  }

  /// The phase of a source's participant, or the furthest one that the ceiling allows.
  func phase(of source: Source) -> LifecyclePhase {
    contributionIndex(role: source.role, source: source.id).map { contributions[$0].phase }
      ?? application
  }

  /// The index of the contribution that a source reports on; nil for the application.
  @inline(__always)
  private func contributionIndex(role: LifecycleRole?, source: Int) -> Int? {
    contributions.firstIndex { $0.role == role && ($0.source == nil || $0.source == source) }
  }

  /// The phase of the application, if the program itself has reported on it; otherwise `unknown`.
  var ownPhase: LifecyclePhase { hasOwnSay ? application : .unknown }

  // MARK: Inputs

  /// Moves the participant or the ceiling that a connected source reports on.
  ///
  /// - Returns: The reason why it does not move; nil if it does.
  mutating func accept(
    _ transition: Transition,
    from source: Int
  ) -> SuppressedInput.Reason? {
    guard source != Self.ownSource else {
      hasOwnSay = true
      return application.take(transition)
    }
    let role = sources.first { $0.id == source }?.role
    guard let index = contributionIndex(role: role, source: source) else {
      return application.take(transition)
    }
    return contributions[index].phase.take(transition)
  }

  @inline(__always)
  mutating func note(_ input: LastInput, from source: Int) {
    if source == Self.ownSource {
      lastOwnInput = input
    } else if let index = sources.firstIndex(where: { $0.id == source }) {
      sources[index].lastInput = input
    }
  }

  /// The phase that follows from all reports; nil if there are none.
  var phase: LifecyclePhase? {
    var reports = ReportedPhases(application: application)
    for contribution in contributions { reports.add(contribution.phase, as: contribution.role) }
    return reports.phase
  }
}

extension LifecyclePhase {
  /// Moves to the target of the transition, or returns the reason why not.
  fileprivate mutating func take(_ transition: Transition) -> SuppressedInput.Reason? {
    guard self != .terminated else { return .terminated }
    let isMove =
      transition.isUpward
      ? self < transition.target : self == .unknown || self > transition.target
    guard isMove else { return .duplicate }
    self = transition.target
    return nil
  }
}

/// The phases of an application, its participants and its ceilings, and the one that follows from
/// them: that of the most forward participant, but no further than each ceiling allows.
package struct ReportedPhases {
  private let application: LifecyclePhase
  private var forward: LifecyclePhase
  private var ceiling: LifecyclePhase?

  @inline(__always)
  package init(application: LifecyclePhase) {
    self.application = application
    forward = application
  }

  /// Adds a report. One that is unknown has no say.
  @inline(__always)
  package mutating func add(_ phase: LifecyclePhase, as role: LifecycleRole) {
    // A participant that has ended does not count: `terminated < unknown`.
    if role != .ceiling {
      forward = max(forward, phase)
    } else if phase != .unknown {
      ceiling = min(ceiling ?? phase, phase)
    }
  }

  /// The phase that follows; nil if there are no reports.
  @inline(__always)
  package var phase: LifecyclePhase? {
    guard application != .terminated else { return .terminated }
    guard forward > .unknown else { return ceiling }
    return min(forward, ceiling ?? forward)
  }
}
