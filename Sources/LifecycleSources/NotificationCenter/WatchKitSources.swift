#if canImport(WatchKit) && !os(iOS)
  import ReactiveLifecycle
  import WatchKit

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application, by `WKApplication`'s notifications, on watchOS. Connected late, it reports where
    /// the application stands. The end is not announced there.
    ///
    /// ```swift
    /// let connection = try bus.connect(.wkApplication)
    /// ```
    public static var wkApplication: Self {
      NotificationCenterSource(table: .wkApplication, name: "wkApplication") {
        let name =
          switch WKApplication.shared().applicationState {
          case .active: WKApplication.didBecomeActiveNotification
          case .inactive: WKApplication.willEnterForegroundNotification
          case .background: WKApplication.didFinishLaunchingNotification
          @unknown default: WKApplication.didFinishLaunchingNotification
          }
        return [Notification(name: name)]
      }
    }
  }
#endif
