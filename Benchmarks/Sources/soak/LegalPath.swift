import ReactiveLifecycle

/// The edges of the phase diagram (G1), written down again.
enum LegalPath {
  private struct Edge: Hashable {
    var kind: LifecycleEvent.Kind
    var from: LifecyclePhase
    var to: LifecyclePhase
  }

  private static let edges: Set<Edge> = [
    Edge(kind: .didFinishLaunching, from: .unknown, to: .background),
    Edge(kind: .willEnterForeground, from: .background, to: .inactive),
    Edge(kind: .didBecomeActive, from: .inactive, to: .active),
    Edge(kind: .willResignActive, from: .active, to: .inactive),
    Edge(kind: .didEnterBackground, from: .inactive, to: .background),
    Edge(kind: .willTerminate, from: .background, to: .terminated),
    Edge(kind: .willTerminate, from: .unknown, to: .terminated),
  ]

  private static let kinds = Set(edges.map(\.kind))

  private static let steps = Set(edges.map { [$0.from, $0.to] })

  static func contains(_ event: LifecycleEvent) -> Bool {
    guard kinds.contains(event.kind) else { return event.previousPhase == event.phase }
    return edges.contains(Edge(kind: event.kind, from: event.previousPhase, to: event.phase))
  }

  static func hasStep(from old: LifecyclePhase, to new: LifecyclePhase) -> Bool {
    steps.contains([old, new])
  }
}
