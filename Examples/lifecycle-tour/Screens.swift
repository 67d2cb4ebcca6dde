import Foundation
import ReactiveLifecycle

/// A screen that observes by hand, with the faults of many.
///
/// `@unchecked Sendable`: the tour posts on one thread alone. Without it, the compiler refuses what
/// the block captures.
final class ScreenBefore: @unchecked Sendable {
  let center = NotificationCenter.default
  var refreshes = 0

  func viewWillAppear() {
    _ = center.addObserver(
      forName: .willEnterForeground,
      object: nil,
      queue: nil
    ) { _ in
      self.refreshes += 1
    }
  }

  func viewWillDisappear() {
    center.removeObserver(self)
  }
}

extension Notification.Name {
  static let didEnterBackground = Self("UIApplicationDidEnterBackgroundNotification")
  static let willEnterForeground = Self("UIApplicationWillEnterForegroundNotification")
}

/// The same screen on the bus.
@MainActor
final class ScreenAfter {
  let bus = LifecycleBus.application
  var scope: LifecycleScope?
  var refreshes = 0

  func viewWillAppear() {
    let scope = LifecycleScope("screen")
    bus.onReturn(in: scope) { [weak self] _ in
      self?.refreshes += 1
    }
    self.scope = scope
  }

  func viewWillDisappear() {
    scope?.end()
  }
}
