#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  public import ReactiveLifecycle

  extension LifecycleSource where Self == NotificationCenterSource {
    /// Returns a source for the application, based on the notifications of `NSApplication`.
    ///
    /// If connected late, the source reports the application's current phase. If connected during
    /// the launch, it may not report a phase before the next notification.
    ///
    /// ```swift
    /// try bus.connect(.nsApplication(background: .occluded)).store(in: scope)
    /// ```
    ///
    /// An application that supports sudden termination ends without `willTerminate`.
    ///
    /// - Parameter background: The condition under which the application counts as in the
    ///   background.
    public static func nsApplication(background: AppKitBackground = .hidden) -> Self {
      NotificationCenterSource(
        table: .nsApplication(background: background, state: AppKitState.current),
        name: "nsApplication"
      ) {
        // The system sets `isFinishedLaunching`, perhaps later than it notifies the application.
        NSRunningApplication.current.isFinishedLaunching || NSApp?.isActive == true
          ? [Notification(name: NSApplication.didFinishLaunchingNotification)] : []
      }
    }

    /// The machine and the login session, based on the notification center of `NSWorkspace`.
    ///
    /// Sleep, wake, and requests to power off or to log out are notices. Fast user switching is a
    /// ceiling: while another session has the screen, the bus is in the background. A source that
    /// is connected during that time does not know about the switch.
    ///
    /// ```swift
    /// try bus.connect(.workspace).store(in: scope)
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
    /// Returns the application's state, or nil off the main actor, where it can't be read.
    @Sendable
    fileprivate static func current() -> AppKitState? {
      let state: AppKitState?? = MainQueue.ifCurrent {
        NSApp.map {
          AppKitState(
            isActive: $0.isActive,
            isHidden: $0.isHidden,
            isVisible: $0.occlusionState.contains(.visible)
          )
        }
      }
      return state ?? nil
    }
  }
#endif
