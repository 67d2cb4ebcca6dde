import Foundation

/// A screen that observes by hand, with the faults of many.
final class ScreenBefore: @unchecked Sendable {
  var refreshes = 0

  func viewWillAppear() {
    _ = NotificationCenter.default.addObserver(
      forName: .willEnterForeground,
      object: nil,
      queue: nil
    ) { _ in
      self.refreshes += 1
    }
  }

  func viewWillDisappear() {
    NotificationCenter.default.removeObserver(self)
  }
}

extension Notification.Name {
  static let didEnterBackground = Self("UIApplicationDidEnterBackgroundNotification")
  static let willEnterForeground = Self("UIApplicationWillEnterForegroundNotification")
}
