import Foundation

/// The article's helper, as written by hand, with its faults.
final class BackgroundObserver: @unchecked Sendable {
  private var enteredBackground = Date()

  func addObserver(usingBlock block: @escaping @Sendable (Notification, TimeInterval) -> Void) {
    let center = NotificationCenter.default
    _ = center.addObserver(forName: .didEnterBackground, object: nil, queue: nil) { _ in
      self.enteredBackground = Date()
    }
    _ = center.addObserver(forName: .willEnterForeground, object: nil, queue: nil) { note in
      block(note, Date().timeIntervalSince(self.enteredBackground))
    }
  }

  func removeNotificationObserver() {
    NotificationCenter.default.removeObserver(self)
  }
}

/// A screen that uses it.
final class ScreenBefore: @unchecked Sendable {
  let observer = BackgroundObserver()
  var refreshes = 0

  func viewWillAppear() {
    observer.addObserver { note, stay in
      self.refreshes += 1
    }
  }

  func viewWillDisappear() {
    observer.removeNotificationObserver()
  }
}

extension Notification.Name {
  static let didEnterBackground = Self("UIApplicationDidEnterBackgroundNotification")
  static let willEnterForeground = Self("UIApplicationWillEnterForegroundNotification")
}
