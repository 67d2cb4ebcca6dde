import Foundation
import LifecycleCore

// Every raw name that Apple's platforms post, and its meaning. A constant's name is its raw
// string, except for the two of `UIApplication` about protected data, which have no suffix.

extension NotificationTable {
  /// The notifications of `UIApplication` on iOS, tvOS, visionOS, and Mac Catalyst.
  ///
  /// They describe the application as a whole, which UIKit considers to be as far forward as its
  /// scenes.
  public static let uiApplication: NotificationTable = [
    "UIApplicationDidFinishLaunchingNotification": .didFinishLaunching,
    "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
    "UIApplicationDidBecomeActiveNotification": .didBecomeActive,
    "UIApplicationWillResignActiveNotification": .willResignActive,
    "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
    "UIApplicationWillTerminateNotification": .willTerminate,
    "UIApplicationDidReceiveMemoryWarningNotification": .didReceiveMemoryWarning,
    "UIApplicationSignificantTimeChangeNotification": .significantTimeChange,
    "UIApplicationProtectedDataWillBecomeUnavailable": .protectedDataWillBecomeUnavailable,
    "UIApplicationProtectedDataDidBecomeAvailable": .protectedDataDidBecomeAvailable,
  ]

  /// The notifications of all `UIScene`s, and of the launch and the end of their application.
  ///
  /// Each scene is a participant. Once the launch has been reported, the application is in the
  /// background when no scene is left. Notices are in ``uiApplication``.
  ///
  /// Events carry the identifier of the scene's session as `metadata["scene"]`, where it can be
  /// read.
  public static let uiScenes = uiScenes(identifier: sceneIdentifier)

  package static func uiScenes(identifier: @escaping NotificationSubject.Identifier)
    -> NotificationTable
  {
    var table = scenes(about: .object("scene", identifier: identifier), identifier)
    table.add(.didFinishLaunching, for: "UIApplicationDidFinishLaunchingNotification")
    table.add(.willTerminate, for: "UIApplicationWillTerminateNotification")
    return table
  }

  /// Returns the notifications of a single `UIScene`, whose end is `willTerminate`.
  package static func uiScene(identifier: @escaping NotificationSubject.Identifier)
    -> NotificationTable
  {
    scenes(about: .source, identifier)
  }

  private static func scenes(
    about subject: NotificationSubject,
    _ identifier: @escaping NotificationSubject.Identifier
  ) -> NotificationTable {
    let kinds: KeyValuePairs<String, LifecycleEvent.Kind> = [
      "UISceneWillConnectNotification": .didFinishLaunching,
      "UISceneWillEnterForegroundNotification": .willEnterForeground,
      "UISceneDidActivateNotification": .didBecomeActive,
      "UISceneWillDeactivateNotification": .willResignActive,
      "UISceneDidEnterBackgroundNotification": .didEnterBackground,
      "UISceneDidDisconnectNotification": .willTerminate,
    ]
    var table = NotificationTable()
    for (name, kind) in kinds {
      table.add(kind, for: name, about: subject) { notification in
        notification.instance.flatMap(identifier).map { ["scene": $0] } ?? [:]
      }
    }
    return table
  }

  /// Returns the notifications of `NSApplication`.
  ///
  /// - Parameters:
  ///   - background: The condition under which the application counts as in the background.
  ///   - state: A closure that returns the application's state, or nil where it can't be read.
  static func nsApplication(
    background: AppKitBackground,
    state: @escaping @Sendable () -> AppKitState?
  ) -> NotificationTable {
    var table: NotificationTable = [
      "NSApplicationWillResignActiveNotification": .willResignActive,
      "NSApplicationWillTerminateNotification": .willTerminate,
      "NSApplicationProtectedDataWillBecomeUnavailableNotification":
        .protectedDataWillBecomeUnavailable,
      "NSApplicationProtectedDataDidBecomeAvailableNotification": .protectedDataDidBecomeAvailable,
    ]
    // An application can be launched hidden, behind others, or in front.
    table.add(for: "NSApplicationDidFinishLaunchingNotification") { _ in
      guard let state = state() else { return .didFinishLaunching }
      return state.isInBackground(background) ? .didFinishLaunching : state.foreground
    }
    switch background {
    case .hidden:
      table.add(.didBecomeActive, for: "NSApplicationDidBecomeActiveNotification")
      table.add(.didEnterBackground, for: "NSApplicationDidHideNotification")
      // Hiding need not deactivate, and unhiding need not activate.
      table.add(for: "NSApplicationWillUnhideNotification") { _ in
        state()?.foreground ?? .willEnterForeground
      }
    case .occluded:
      // The active application need not have a window.
      table.add(for: "NSApplicationDidBecomeActiveNotification") { _ in
        state()?.isInBackground(background) == true ? nil : .didBecomeActive
      }
      table.add(for: "NSApplicationDidChangeOcclusionStateNotification") { _ in
        guard let state = state() else { return nil }
        return state.isInBackground(background) ? .didEnterBackground : state.foreground
      }
    }
    return table
  }

  /// The notifications of the notification center of `NSWorkspace`.
  ///
  /// The login session, which fast user switching takes from the screen, and the sleep of the
  /// screens are ceilings.
  package static let workspace: NotificationTable = {
    var table: NotificationTable = [
      "NSWorkspaceWillSleepNotification": .systemWillSleep,
      "NSWorkspaceDidWakeNotification": .systemDidWake,
      "NSWorkspaceWillPowerOffNotification": .systemWillPowerOff,
    ]
    table.addCeiling(
      from: "NSWorkspaceSessionDidResignActiveNotification",
      until: "NSWorkspaceSessionDidBecomeActiveNotification"
    )
    // Some Macs miss the wake of the screens (https://developer.apple.com/forums/thread/796109).
    table.addCeiling(
      from: "NSWorkspaceScreensDidSleepNotification",
      until: "NSWorkspaceScreensDidWakeNotification",
      "NSWorkspaceDidWakeNotification"
    )
    return table
  }()

  /// The notifications of `WKApplication` and `WKExtension`, which have the same names, on
  /// watchOS.
  ///
  /// watchOS does not announce the end of the application.
  package static let wkApplication: NotificationTable = [
    "WKApplicationDidFinishLaunchingNotification": .didFinishLaunching,
    "WKApplicationWillEnterForegroundNotification": .willEnterForeground,
    "WKApplicationDidBecomeActiveNotification": .didBecomeActive,
    "WKApplicationWillResignActiveNotification": .willResignActive,
    "WKApplicationDidEnterBackgroundNotification": .didEnterBackground,
  ]

  /// The launch and the end of an app extension's process on macOS.
  static let macExtension: NotificationTable = [
    "NSApplicationDidFinishLaunchingNotification": .didFinishLaunching,
    "NSApplicationWillTerminateNotification": .willTerminate,
  ]

  /// The notifications about the application that hosts an app extension.
  ///
  /// On macOS, they are not posted.
  package static let extensionHost: NotificationTable = [
    "NSExtensionHostWillEnterForegroundNotification": .willEnterForeground,
    "NSExtensionHostDidBecomeActiveNotification": .didBecomeActive,
    "NSExtensionHostWillResignActiveNotification": .willResignActive,
    "NSExtensionHostDidEnterBackgroundNotification": .didEnterBackground,
  ]
}
