import Foundation
import LifecycleSources
import ReactiveLifecycle

@MainActor
struct NotificationSamples {
  let bus = LifecycleBus()

  var tableSize: Int {
    let table: NotificationTable = [
      "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
      "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
    ]
    return table.names.count
  }

  func connect(_ body: () -> Void) throws {
    let connection = try bus.connect(.notificationCenter(table: .uiApplication))
    body()
    connection.cancel()
  }

  func post(_ name: String) {
    NotificationCenter.default.post(name: Notification.Name(name), object: nil)
  }
}
