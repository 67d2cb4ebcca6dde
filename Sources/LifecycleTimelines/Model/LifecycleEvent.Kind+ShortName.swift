import ReactiveLifecycle

extension LifecycleEvent.Kind {
  /// A few words for a notice.
  var shortName: String {
    switch self {
    case .didReceiveMemoryWarning: "memory warning"
    case .significantTimeChange: "time change"
    case .protectedDataWillBecomeUnavailable: "locked"
    case .protectedDataDidBecomeAvailable: "unlocked"
    case .backgroundFetchDidComplete: "fetch complete"
    case .systemWillPowerOff: "power off"
    case .reloadRequest: "reload"
    case .processWasPaused: "paused"
    default: rawValue
    }
  }
}
