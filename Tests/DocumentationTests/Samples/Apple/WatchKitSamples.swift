#if os(watchOS)
  import LifecycleSources
  import ReactiveLifecycle
  import WatchKit

  @MainActor
  func wkApplicationSample(_ bus: LifecycleBus) throws -> LifecycleCancellable {
    let connection = try bus.connect(.wkApplication)
    return connection
  }
#endif
