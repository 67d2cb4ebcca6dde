#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  public import ReactiveLifecycle

  extension LifecycleSource where Self == NotificationCenterSource {
    /// The application, by `NSApplication`'s notifications. Connected late, it reports where the
    /// application stands; connected while it is being launched, perhaps not before the next notification.
    ///
    /// ```swift
    /// let connection = try bus.connect(.nsApplication(background: .occluded))
    /// ```
    ///
    /// An application that supports sudden termination is ended without `willTerminate`.
    ///
    /// - Parameter background: When the application counts as in the background.
    public static func nsApplication(background: AppKitBackground = .hidden) -> Self {
      NotificationCenterSource(
        table: .nsApplication(background: background, state: AppKitState.current),
        name: "nsApplication"
      ) {
        // The first is told by the system, perhaps later than the application was told.
        NSRunningApplication.current.isFinishedLaunching || NSApp?.isActive == true
          ? [Notification(name: NSApplication.didFinishLaunchingNotification)] : []
      }
    }

    /// The machine and the login session, by the workspace's own centre. Sleep, waking, and the request
    /// to power off or to log out are notices. Fast user switching is a ceiling: while another session
    /// has the screen, the bus is in the background. Connected meanwhile, it does not know of that.
    ///
    /// ```swift
    /// let connection = try bus.connect(.workspace)
    /// ```
    public static var workspace: Self {
      NotificationCenterSource(
        center: NSWorkspace.shared.notificationCenter,
        table: .workspace,
        name: "workspace"
      )
    }
  }

  extension AppKitState {
    /// Nil off the main actor, where the application can't be asked.
    @Sendable
    fileprivate static func current() -> AppKitState? {
      guard MainQueue.isCurrent else { return nil }
      return MainActor.assumeIsolated {
        NSApp.map {
          AppKitState(
            isActive: $0.isActive,
            isHidden: $0.isHidden,
            isVisible: $0.occlusionState.contains(.visible)
          )
        }
      }
    }
  }
#endif
