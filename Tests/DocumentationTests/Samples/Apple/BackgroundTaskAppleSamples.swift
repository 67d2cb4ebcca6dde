#if canImport(UIKit) || os(watchOS)
  import LifecycleSources
  import LifecycleBackgroundWork
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

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import LifecycleSources
  import LifecycleBackgroundWork
  import ReactiveLifecycle

  /// Of a Mac application.
  func processActivitySample() -> BackgroundTaskCoordinator {
    let tasks = BackgroundTaskCoordinator(host: .processActivity)
    return tasks
  }
#endif
