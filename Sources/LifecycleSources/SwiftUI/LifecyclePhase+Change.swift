package import ReactiveLifecycle

extension LifecyclePhase {
  /// Returns the kinds of events to send when this phase follows another one.
  ///
  /// For the first phase, `old` is the phase itself. A phase that may have been reached from either
  /// side then has a kind for each way, only one of which takes effect.
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
