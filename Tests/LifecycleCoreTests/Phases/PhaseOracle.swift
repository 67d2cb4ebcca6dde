import LifecycleCore

/// What a phase machine must do, found by searching the diagram rather than by knowing the way.
struct PhaseOracle {
  /// The edges of the diagram.
  static let edges: [(from: LifecyclePhase, kind: LifecycleEvent.Kind, to: LifecyclePhase)] = [
    (.unknown, .didFinishLaunching, .background),
    (.background, .willEnterForeground, .inactive),
    (.inactive, .didBecomeActive, .active),
    (.active, .willResignActive, .inactive),
    (.inactive, .didEnterBackground, .background),
    (.background, .willTerminate, .terminated),
    (.unknown, .willTerminate, .terminated),
  ]

  static let transitions: [LifecycleEvent.Kind] = [
    .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
    .didEnterBackground, .willTerminate,
  ]

  /// The inputs that bring a new bus into each phase.
  static let waysTo: [(LifecyclePhase, [LifecycleEvent.Kind])] = [
    (.unknown, []),
    (.background, [.didFinishLaunching]),
    (.inactive, [.willEnterForeground]),
    (.active, [.didBecomeActive]),
    (.terminated, [.willTerminate]),
  ]

  /// The shortest path of edges from a phase that ends with an edge of that kind; nil if there is
  /// none. A path may use no other transition's direction than the input's, save from `unknown`.
  static func path(
    from phase: LifecyclePhase,
    endingWith kind: LifecycleEvent.Kind
  ) -> [(kind: LifecycleEvent.Kind, to: LifecyclePhase)]? {
    let rises = edges.contains { $0.kind == kind && $0.to > $0.from }
    var frontier: [(at: LifecyclePhase, path: [(kind: LifecycleEvent.Kind, to: LifecyclePhase)])]
    frontier = [(phase, [])]
    for _ in 0..<8 {
      var longer: [(at: LifecyclePhase, path: [(kind: LifecycleEvent.Kind, to: LifecyclePhase)])]
      longer = []
      for (place, path) in frontier {
        for edge in edges where edge.from == place {
          let edgeRises = edge.to > edge.from
          guard phase == .unknown || edgeRises == rises else { continue }
          longer.append((edge.to, path + [(edge.kind, edge.to)]))
        }
      }
      if let found = longer.first(where: { $0.path.last?.kind == kind }) { return found.path }
      frontier = longer
    }
    return nil
  }

  private(set) var phase = LifecyclePhase.unknown
  private(set) var number = 0
  private var wentAway: LifecycleInstant?

  /// The events that the input becomes, or why there are none.
  mutating func accept(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant,
    origin: LifecycleEvent.Origin = .manual
  ) -> Result<[LifecycleEvent], Suppression> {
    if phase == .terminated { return .failure(Suppression(reason: .terminated)) }
    guard Self.transitions.contains(kind) else {
      number += 1
      return .success([event(kind, phase, phase, instant, origin, nil)])
    }
    guard let path = Self.path(from: phase, endingWith: kind) else {
      return .failure(Suppression(reason: .duplicate))
    }
    var events: [LifecycleEvent] = []
    for (index, step) in path.enumerated() {
      number += 1
      var stay: BackgroundStay?
      if step.kind == .willEnterForeground, let wentAway {
        stay = BackgroundStay(from: wentAway, to: instant)
      }
      if step.kind == .didEnterBackground { wentAway = instant }
      let isOwn = index == path.count - 1
      events.append(event(step.kind, phase, step.to, instant, isOwn ? origin : .synthesized, stay))
      phase = step.to
    }
    return .success(events)
  }

  struct Suppression: Error {
    let reason: SuppressedInput.Reason
  }

  private func event(
    _ kind: LifecycleEvent.Kind,
    _ from: LifecyclePhase,
    _ to: LifecyclePhase,
    _ instant: LifecycleInstant,
    _ origin: LifecycleEvent.Origin,
    _ stay: BackgroundStay?
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: from,
      phase: to,
      sequenceNumber: number,
      instant: instant,
      origin: origin,
      backgroundStay: stay
    )
  }
}
