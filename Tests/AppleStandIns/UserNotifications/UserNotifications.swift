import Foundation

open class UNNotificationContent: NSObject {
  override init() { fatalError() }
}

open class UNMutableNotificationContent: UNNotificationContent {
  override public init() { fatalError() }
  open var title: String {
    get { fatalError() }
    set { fatalError() }
  }
}

open class UNNotificationTrigger: NSObject {
  override init() { fatalError() }
}

open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  public convenience init(timeInterval: TimeInterval, repeats: Bool) { fatalError() }
}

open class UNNotificationRequest: NSObject {
  override init() { fatalError() }
  public convenience init(
    identifier: String,
    content: UNNotificationContent,
    trigger: UNNotificationTrigger?
  ) {
    fatalError()
  }
}

open class UNUserNotificationCenter: NSObject {
  override init() { fatalError() }
  open class func current() -> UNUserNotificationCenter { fatalError() }
  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    fatalError()
  }
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    fatalError()
  }
}
