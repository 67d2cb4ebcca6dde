import ReactiveLifecycle

/// A condition that ends a scope of a script, and what the reference bus knows of it.
enum EndCondition: CaseIterable {
  case background, foreground, active, notActive, atMostBackground

  var condition: LifecyclePhase.Condition {
    switch self {
    case .background: .atLeast(.background)
    case .foreground: .atLeast(.inactive)
    case .active: .atLeast(.active)
    case .notActive: .atMost(.inactive)
    case .atMostBackground: .atMost(.background)
    }
  }

  /// The events on whose way the phase comes to meet the condition.
  var kinds: [LifecycleEvent.Kind] {
    switch self {
    case .background: [.didFinishLaunching, .willEnterForeground, .didBecomeActive]
    case .foreground: [.willEnterForeground, .didBecomeActive]
    case .active: [.didBecomeActive]
    case .notActive: [.willResignActive, .didEnterBackground, .willTerminate]
    case .atMostBackground: [.didEnterBackground, .willTerminate]
    }
  }

  func isMet(in phase: LifecyclePhase) -> Bool {
    switch self {
    case .background: [.background, .inactive, .active].contains(phase)
    case .foreground: [.inactive, .active].contains(phase)
    case .active: phase == .active
    case .notActive: phase != .active
    case .atMostBackground: ![.inactive, .active].contains(phase)
    }
  }
}
