import ReactiveLifecycle

extension LifecyclePhase {
  /// What to send when this phase is found after another one; at first after itself.
  func kind(after old: LifecyclePhase) -> LifecycleEvent.Kind {
    switch self {
    case .active: .didBecomeActive
    case .inactive: old == .active ? .willResignActive : .willEnterForeground
    case .background, .unknown: old == self ? .didFinishLaunching : .didEnterBackground
    case .terminated: .willTerminate
    }
  }
}
