import LifecycleCore

/// What a bus with several sources must do, written from the rules: it keeps every call and works out
/// who says what from all of them, each time anew.
struct ReferenceAggregate {
  enum Voice: Hashable {
    case participant(String)
    case ceiling(Int)

    /// Whose `willTerminate` ends the bus.
    var isProcessWide: Bool { self != .participant("A") && self != .participant("B") }
  }

  enum Call {
    case connect(Int, Voice)
    case disconnect(Int)
    case send(Int, LifecycleEvent.Kind)
  }

  /// What becomes of a call.
  struct Answer: Equatable {
    var suppressed: SuppressedInput.Reason?
    var events: [LifecycleEvent] = []
  }

  /// The number of the program's own `send`.
  static let own = 0
  static let application = Voice.participant("application")

  private(set) var history: [Call] = []
  private(set) var phase = LifecyclePhase.unknown
  private var number = 0
  private var wentAway: LifecycleInstant?

  mutating func make(
    _ call: Call,
    at instant: LifecycleInstant,
    origin: LifecycleEvent.Origin = .manual,
    metadata: [String: String] = [:]
  ) -> Answer {
    let before = Self.opinions(history)
    if case .send(let source, let kind) = call {
      guard let voice = before.connected[source] else { return Answer(suppressed: .disconnected) }
      guard phase != .terminated else { return Answer(suppressed: .terminated) }
      guard PhaseOracle.transitions.contains(kind) else {
        let step = (kind, phase)
        return Answer(events: [event(step, instant, origin, metadata)])
      }
      if before.says[voice] == .terminated { return Answer(suppressed: .terminated) }
    }
    history.append(call)
    let after = Self.opinions(history)
    if case .send = call, before.says == after.says { return Answer(suppressed: .duplicate) }
    guard phase != .terminated, let target = after.phase, target != phase else {
      if case .send = call { return Answer(suppressed: .masked) }
      return Answer()
    }
    var steps = Self.steps(from: phase, to: target)
    var own: LifecycleEvent.Kind?
    if case .send(let source, let kind) = call {
      own = kind
      if phase == .unknown && !before.isCeiling(source) {
        steps = PhaseOracle.path(from: phase, endingWith: kind)!
      }
    }
    return Answer(
      events: steps.map {
        let isOwn = $0.kind == own
        return event($0, instant, isOwn ? origin : .synthesized, isOwn ? metadata : [:])
      }
    )
  }

  // MARK: Who says what

  struct Opinions {
    var connected: [Int: Voice] = [own: application]
    var says: [Voice: LifecyclePhase] = [:]

    func isCeiling(_ source: Int) -> Bool {
      if case .ceiling = connected[source] { true } else { false }
    }

    /// The formula.
    var phase: LifecyclePhase? {
      if says.contains(where: { $0.key.isProcessWide && $0.value == .terminated }) {
        return .terminated
      }
      var participants: [LifecyclePhase] = []
      var ceilings: [LifecyclePhase] = []
      for (voice, phase) in says where phase != .terminated {
        if case .ceiling = voice { ceilings.append(phase) } else { participants.append(phase) }
      }
      return (ceilings + [participants.max()].compactMap { $0 }).min()
    }
  }

  static func opinions(_ history: [Call]) -> Opinions {
    var result = Opinions()
    var hasOwnSay = false
    for call in history {
      switch call {
      case .connect(let source, let voice):
        result.connected[source] = voice
      case .disconnect(let source):
        guard let voice = result.connected.removeValue(forKey: source) else { continue }
        let remaining = result.connected.filter {
          $0.value == voice && ($0.key != own || hasOwnSay)
        }
        if remaining.isEmpty { result.says[voice] = nil }
      case .send(let source, let kind):
        guard let voice = result.connected[source], PhaseOracle.transitions.contains(kind) else {
          continue
        }
        if source == own { hasOwnSay = true }
        let phase = result.says[voice, default: .unknown]
        if let end = destinations[phase]?[kind] { result.says[voice] = end }
      }
    }
    return result
  }

  /// Where each transition leads from each phase, found by searching the diagram.
  private static let destinations = Dictionary(
    uniqueKeysWithValues: LifecyclePhase.allCases.map { phase in
      let ends = PhaseOracle.transitions.map { kind in
        (kind, PhaseOracle.path(from: phase, endingWith: kind)?.last?.to)
      }
      return (phase, Dictionary(uniqueKeysWithValues: ends).compactMapValues { $0 })
    }
  )

  // MARK: The way there

  /// The edges of the diagram on the straight way.
  private static func steps(
    from start: LifecyclePhase,
    to target: LifecyclePhase
  ) -> [(kind: LifecycleEvent.Kind, to: LifecyclePhase)] {
    var phase = start
    var result: [(kind: LifecycleEvent.Kind, to: LifecyclePhase)] = []
    while phase != target {
      let edge = PhaseOracle.edges.first {
        $0.from == phase && ($0.to < phase) == (target < phase)
      }!
      result.append((edge.kind, edge.to))
      phase = edge.to
    }
    return result
  }

  private mutating func event(
    _ step: (kind: LifecycleEvent.Kind, to: LifecyclePhase),
    _ instant: LifecycleInstant,
    _ origin: LifecycleEvent.Origin,
    _ metadata: [String: String]
  ) -> LifecycleEvent {
    number += 1
    var stay: BackgroundStay?
    if step.kind == .willEnterForeground, let wentAway {
      stay = BackgroundStay(from: wentAway, to: instant)
    }
    if step.kind == .didEnterBackground { wentAway = instant }
    defer { phase = step.to }
    return LifecycleEvent(
      kind: step.kind,
      previousPhase: phase,
      phase: step.to,
      sequenceNumber: number,
      instant: instant,
      origin: origin,
      backgroundStay: stay,
      metadata: metadata
    )
  }
}

/// A source that a script may connect.
struct SourceSpec: Sendable {
  let name: LifecycleSourceName
  let role: LifecycleRole
  /// Who it speaks for, to the reference; a ceiling speaks for itself.
  let participant: String?

  func voice(_ number: Int) -> ReferenceAggregate.Voice {
    participant.map { .participant($0) } ?? .ceiling(number)
  }

  static let all = [
    SourceSpec(name: "application", role: .participant(.application), participant: "application"),
    SourceSpec(name: "A", role: .participant("A"), participant: "A"),
    SourceSpec(name: "A again", role: .participant("A"), participant: "A"),
    SourceSpec(name: "B", role: .participant("B"), participant: "B"),
    SourceSpec(name: "ceiling 1", role: .ceiling, participant: nil),
    SourceSpec(name: "ceiling 2", role: .ceiling, participant: nil),
  ]
}

/// What a script does next; sources are known by their place in `SourceSpec.all`, the program's own
/// `send` has none.
enum SourceAction: Hashable, CustomStringConvertible {
  case connect(Int)
  case disconnect(Int)
  case send(Int?, LifecycleEvent.Kind)

  var description: String {
    switch self {
    case .connect(let source): "connect \(SourceSpec.all[source].name)"
    case .disconnect(let source): "disconnect \(SourceSpec.all[source].name)"
    case .send(let source, let kind):
      "\(kind) by \(source.map { SourceSpec.all[$0].name.rawValue } ?? "own send")"
    }
  }
}

/// Time and text for the nth action: the clocks part, and the wall clock jumps.
func moment(_ step: Int) -> (LifecycleInstant, [String: String]) {
  let instant = LifecycleInstant(
    continuous: .boot + .seconds(10 * step),
    timeAwake: .seconds(7 * step),
    timeSince1970: .seconds(step.isMultiple(of: 3) ? 5 : 100 * step)
  )
  return (instant, ["step": "\(step)"])
}
