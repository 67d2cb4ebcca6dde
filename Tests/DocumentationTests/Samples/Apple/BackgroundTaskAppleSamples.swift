#if canImport(UIKit) || canImport(WatchKit)
  import LifecycleSources
  import ReactiveLifecycle

  /// Of a watch application or an app extension.
  func expiringActivitySample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
    return tasks
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  /// Of an application.
  func uiApplicationTaskSample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .uiApplication)
    return tasks
  }
#endif
