import Foundation
public import ReactiveLifecycle

extension LifecycleSource where Self == NotificationCenterSource {
  /// The application that hosts an app extension, which lives by it: a keyboard, a share sheet. The
  /// extension can't ask where its host stands, so the phase is `unknown` until the first notification.
  ///
  /// ```swift
  /// let connection = try bus.connect(.extensionHost)
  /// ```
  ///
  /// On macOS hosts post nothing (`NSExtensionContext.h` has the notifications for the other platforms
  /// only): connect ``macExtension`` there.
  public static var extensionHost: Self {
    NotificationCenterSource(table: .extensionHost, name: "extensionHost")
  }

  /// An app extension on macOS, which is not told where its host stands: it runs, in `background`, from the
  /// connection on.
  ///
  /// ```swift
  /// let connection = try bus.connect(.macExtension)
  /// ```
  ///
  /// An extension that has a view knows when that can be seen: it may send `willEnterForeground` and
  /// `didEnterBackground` to its bus when the view appears and disappears.
  public static var macExtension: Self {
    NotificationCenterSource(table: .macExtension, name: "macExtension") {
      [Notification(name: Notification.Name("NSApplicationDidFinishLaunchingNotification"))]
    }
  }
}
