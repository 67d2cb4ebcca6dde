import Foundation
public import LifecycleCore

extension LifecycleSource where Self == NotificationCenterSource {
  /// The application that hosts an app extension, such as a keyboard or a share sheet.
  ///
  /// An extension with a view can't ask for its host's phase, so the phase is `unknown` until the
  /// first notification. An extension without one, such as a widget or a notification service, is
  /// in `background` from the connection on. <doc:InAUIKitApp> lists the kinds of extensions.
  ///
  /// ```swift
  /// try bus.connect(.extensionHost, in: scope)
  /// ```
  ///
  /// On macOS, hosts do not post these notifications: `NSExtensionContext.h` declares them for
  /// the other platforms only. Connect ``macExtension`` there instead.
  public static var extensionHost: Self { extensionHost(in: .current) }

  static func extensionHost(in process: ProcessKind) -> Self {
    guard process == .appExtension(hasView: false) else {
      return NotificationCenterSource(table: .extensionHost, name: "extensionHost")
    }
    // No process posts this name. It stands for the launch, which is the state at the start.
    let launch = Notification.Name("ReactiveLifecycleExtensionDidLaunch")
    var table = NotificationTable.extensionHost
    table.add(.didFinishLaunching, for: launch.rawValue)
    return NotificationCenterSource(table: table, name: "extensionHost") {
      [Notification(name: launch)]
    }
  }

  /// An app extension on macOS, which is in `background` from the connection on.
  ///
  /// The extension is not notified of its host's phase.
  ///
  /// ```swift
  /// try bus.connect(.macExtension, in: scope)
  /// ```
  ///
  /// An extension with a view knows when the view is visible. It may send `willEnterForeground`
  /// and `didEnterBackground` to its bus when the view appears and disappears.
  public static var macExtension: Self {
    NotificationCenterSource(table: .macExtension, name: "macExtension") {
      [Notification(name: Notification.Name("NSApplicationDidFinishLaunchingNotification"))]
    }
  }
}
