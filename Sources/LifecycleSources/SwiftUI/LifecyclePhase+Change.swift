package import ReactiveLifecycle

extension LifecyclePhase {
  /// What to send when this phase is found after another one. Found at first, after itself, it may be
  /// reached from either side, and one of the two counts.
  package func kinds(after old: LifecyclePhase) -> [LifecycleEvent.Kind] {
    switch self {
    case .unknown: []
    case .background:
      old == self ? [.didFinishLaunching, .didEnterBackground] : [.didEnterBackground]
    case .inactive:
      switch old {
      case self: [.willEnterForeground, .willResignActive]
      case .active: [.willResignActive]
      default: [.willEnterForeground]
      }
    case .active: [.didBecomeActive]
    case .terminated: [.willTerminate]
    }
  }
}
