#if os(watchOS)
  public import LifecycleCore
  import WatchKit

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application on watchOS, based on the notifications of WatchKit.
    ///
    /// If connected late, the source reports the application's current phase. watchOS does not
    /// announce the end of the application.
    ///
    /// ```swift
    /// try bus.connect(.wkApplication, in: scope)
    /// ```
    ///
    /// An application with one target reports its state as a `WKApplication`, one with two
    /// targets, whose code is in a WatchKit extension, as a `WKExtension`. Both post
    /// notifications of the same names.
    public static var wkApplication: Self {
      NotificationCenterSource(table: .wkApplication, name: "wkApplication") {
        // By way of the protocol, which is not deprecated.
        let twoTargets: any WatchApplication.Type = TwoTargets.self
        let state =
          ProcessKind.isWatchExtension
          ? twoTargets.state : WKApplication.shared().applicationState
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

  private enum TwoTargets: WatchApplication {
    /// The class has been deprecated since watchOS 9.2, but these applications have no other.
    @available(*, deprecated)
    static var state: WKApplicationState { WKExtension.shared().applicationState }
  }
#endif
