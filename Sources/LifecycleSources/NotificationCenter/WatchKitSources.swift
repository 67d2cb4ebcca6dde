#if os(watchOS)
  public import ReactiveLifecycle
  import WatchKit

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application, by WatchKit's notifications, on watchOS. Connected late, it reports where the
    /// application stands. The end is not announced there.
    ///
    /// ```swift
    /// let connection = try bus.connect(.wkApplication)
    /// ```
    ///
    /// An application of one target is asked by `WKApplication`, one of two targets, whose code is in a
    /// WatchKit extension, by `WKExtension`. Both post notifications of the same names.
    public static var wkApplication: Self {
      NotificationCenterSource(table: .wkApplication, name: "wkApplication") {
        let isExtension = ProcessKind.isWatchExtension
        let state = isExtension ? state(of: TwoTargets.self) : state(of: OneTarget.self)
        let name =
          switch state {
          case .active: WKApplication.didBecomeActiveNotification
          case .inactive: WKApplication.willEnterForegroundNotification
          case .background: WKApplication.didFinishLaunchingNotification
          @unknown default: WKApplication.didFinishLaunchingNotification
          }
        return [Notification(name: name)]
      }
    }
  }

  @MainActor private protocol WatchApplication {
    static var state: WKApplicationState { get }
  }

  private enum OneTarget: WatchApplication {
    static var state: WKApplicationState { WKApplication.shared().applicationState }
  }

  private enum TwoTargets: WatchApplication {
    /// The class is deprecated since watchOS 9.2, and these applications have no other.
    @available(*, deprecated)
    static var state: WKApplicationState { WKExtension.shared().applicationState }
  }

  /// By way of the protocol, which is not deprecated.
  @MainActor
  private func state(of application: (some WatchApplication).Type) -> WKApplicationState {
    application.state
  }
#endif
