@_exported import Foundation

public enum WKApplicationState: Int, Sendable {
  case active = 0
  case inactive = 1
  case background = 2
}

@MainActor open class WKApplication: NSObject {
  public class var didFinishLaunchingNotification: Notification.Name { fatalError() }
  public class var willEnterForegroundNotification: Notification.Name { fatalError() }
  public class var didBecomeActiveNotification: Notification.Name { fatalError() }

  override public init() { fatalError() }
  open class func shared() -> WKApplication { fatalError() }
  open var delegate: (any WKApplicationDelegate)? {
    get { fatalError() }
    set { fatalError() }
  }
  open var applicationState: WKApplicationState { fatalError() }
}

@MainActor open class WKExtension: NSObject {
  override public init() { fatalError() }
  open class func shared() -> WKExtension { fatalError() }
  open var applicationState: WKApplicationState { fatalError() }
}

@MainActor public protocol WKApplicationDelegate: NSObjectProtocol {
  func applicationDidFinishLaunching()
  func applicationDidBecomeActive()
  func applicationWillResignActive()
  func applicationWillEnterForeground()
  func applicationDidEnterBackground()
}

// Stands for `@objc optional`.
extension WKApplicationDelegate {
  public func applicationDidFinishLaunching() { fatalError() }
  public func applicationDidBecomeActive() { fatalError() }
  public func applicationWillResignActive() { fatalError() }
  public func applicationWillEnterForeground() { fatalError() }
  public func applicationDidEnterBackground() { fatalError() }
}
