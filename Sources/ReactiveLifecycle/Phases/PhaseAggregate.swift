/// Who has a say in the phase of a bus, and the phase that follows from what they say.
///
/// An input costs O(n) in the number of connected sources.
struct PhaseAggregate {
  /// A connected source, or the program's own `send`.
  struct Source {
    let id: Int
    let origin: LifecycleEvent.Origin
    let role: LifecycleRole
    /// How far forward a ceiling lets the bus be; unused for presences.
    var ceiling = LifecyclePhase.unknown
    var lastInput: LastInput?
  }

  struct LastInput {
    let kind: LifecycleEvent.Kind
    let instant: LifecycleInstant
    let suppressed: SuppressedInput.Reason?
  }

  /// The program's own `send` comes first and stays.
  private(set) var sources = [Source(id: 0, origin: .manual, role: .presence)]
  private(set) var parties: [LifecycleParty: LifecyclePhase] = [:]
  private(set) var application = LifecyclePhase.unknown
  /// Whether the program itself has sent a transition: its say lasts as long as the bus.
  private var hasOwnSay = false
  private var ceilingCount = 0
  private var nextID = 1

  static let ownID = 0

  mutating func connect(_ name: LifecycleSourceName, as role: LifecycleRole) -> Int {
    defer { nextID += 1 }
    sources.append(Source(id: nextID, origin: .source(name), role: role))
    if role.party == nil { ceilingCount += 1 }
    return nextID
  }

  /// Withdraws what the source said, and its party with the last source.
  mutating func disconnect(_ id: Int) {
    guard let index = index(of: id) else { return }
    let source = sources.remove(at: index)
    guard let party = source.role.party else { return ceilingCount -= 1 }
    let isLast = !sources.contains {
      $0.role.party == party && ($0.id != Self.ownID || hasOwnSay)
    }
    guard isLast else { return }
    if party == .application { application = .unknown } else { parties[party] = nil }
  }

  func index(of id: Int) -> Int? {
    // Own inputs are the most frequent.
    id == Self.ownID ? 0 : sources.firstIndex { $0.id == id }
  }

  /// Moves the party, or the ceiling, that the source at the index speaks for.
  mutating func accept(_ transition: Transition, at index: Int) -> SuppressedInput.Reason? {
    if index == 0 { hasOwnSay = true }
    switch sources[index].role.party {
    case nil: return sources[index].ceiling.take(transition)
    case .application: return application.take(transition)
    case let party?: return parties[party, default: .unknown].take(transition)
    }
  }

  mutating func note(_ input: LastInput, at index: Int) {
    sources[index].lastInput = input
  }

  /// The phase that follows from what is said; nil if nobody says anything.
  var phase: LifecyclePhase? {
    guard application != .terminated else { return .terminated }
    // A party that has ended says nothing: `terminated < unknown`.
    let forward = parties.values.reduce(application, max)
    let ceiling = ceilingCount == 0 ? nil : lowestCeiling
    guard forward > .unknown else { return ceiling }
    return ceiling.map { min($0, forward) } ?? forward
  }

  private var lowestCeiling: LifecyclePhase? {
    sources.lazy.filter { $0.role.party == nil && $0.ceiling != .unknown }.map(\.ceiling).min()
  }
}

extension LifecyclePhase {
  /// Goes where the transition leads, or says why not.
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
