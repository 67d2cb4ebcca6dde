// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Foundation

@MainActor open class UIResponder: NSObject {
  override public init() { fatalError() }
}

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { fatalError() }
  public static var invalid: UIBackgroundTaskIdentifier { fatalError() }
}

@MainActor open class UIApplication: UIResponder {
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
  }

  nonisolated public class var didFinishLaunchingNotification: Notification.Name { fatalError() }
  nonisolated public class var willEnterForegroundNotification: Notification.Name { fatalError() }
  nonisolated public class var didBecomeActiveNotification: Notification.Name { fatalError() }
  nonisolated public class var willResignActiveNotification: Notification.Name { fatalError() }
  nonisolated public class var didEnterBackgroundNotification: Notification.Name { fatalError() }
  nonisolated public class var willTerminateNotification: Notification.Name { fatalError() }
  nonisolated public class var backgroundRefreshStatusDidChangeNotification: Notification.Name {
    fatalError()
  }

  // Unavailable in application extensions, which nothing here can show.
  open class var shared: UIApplication { fatalError() }

  open unowned(unsafe) var delegate: (any UIApplicationDelegate)? {
    get { fatalError() }
    set { fatalError() }
  }
  open var applicationState: State { fatalError() }
  open var connectedScenes: Set<UIScene> { fatalError() }
  // nonisolated var isProtectedDataAvailable: Bool { get } in the documentation.
  nonisolated open var isProtectedDataAvailable: Bool { fatalError() }

  nonisolated open func beginBackgroundTask(
    withName taskName: String?,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    fatalError()
  }
  nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    fatalError()
  }
  nonisolated open var backgroundTimeRemaining: TimeInterval { fatalError() }
}

public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData = 0
  case noData = 1
  case failed = 2
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication,
    didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
  func application(
    _ application: UIApplication,
    handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  )
}

// Stands for `@objc optional`.
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    fatalError()
  }
  public func application(
    _ application: UIApplication,
    didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    fatalError()
  }
  public func application(
    _ application: UIApplication,
    handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    fatalError()
  }
}

// What Apple's Foundation has of the Objective-C runtime, and Linux's has not.

public struct Selector: ExpressibleByStringLiteral, Hashable, CustomStringConvertible,
  @unchecked Sendable
{
  public init(_ str: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
  public var description: String { fatalError() }
}

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { fatalError() }

extension NSObject {
  public class func responds(to aSelector: Selector!) -> Bool { fatalError() }
  public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
}
