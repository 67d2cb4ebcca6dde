/// A side of the order of phases.
enum PhaseCondition: Sendable, Hashable {
  case atLeast(LifecyclePhase)
  case atMost(LifecyclePhase)

  func contains(_ phase: LifecyclePhase) -> Bool {
    switch self {
    case .atLeast(let bound): phase >= bound
    case .atMost(let bound): phase <= bound
    }
  }
}
