import Foundation
import ReactiveLifecycle

extension LifecycleSource where Self == NotificationCenterSource {
  /// The application that hosts an app extension, which lives by it: a keyboard, a share sheet. The
  /// extension can't ask where its host stands, so the phase is `unknown` until the first notification.
  ///
  /// ```swift
  /// let connection = try bus.connect(.extensionHost)
  /// ```
  public static var extensionHost: Self {
    NotificationCenterSource(table: .extensionHost, name: "extensionHost")
  }
}
